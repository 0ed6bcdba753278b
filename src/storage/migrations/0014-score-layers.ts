import type { Kysely, Migration } from 'kysely';
import { binary } from './column-types.ts';

/** Heatmaps are drawn from these when they are looked at; those drawn before stay blobs. */
export const migration0014: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('assessment_images').renameColumn('heatmap_blob', 'heatmap_id').execute();
    await db.schema.alterTable('assessment_images').addColumn('score_layer', binary(db)).execute();
  },
};
