import { type RawBuilder, sql } from 'kysely';
import type { Db, ModelRow } from '../../storage/database.ts';

export type RefiningStore = ReturnType<typeof createRefiningStore>;

/** Verdicts of people on items that a model has assessed. */
export function createRefiningStore(db: Db) {
  const assessed = (modelId: string) =>
    db
      .selectFrom('assessments')
      .innerJoin('items', 'items.item_id', 'assessments.item_id')
      .where('assessments.model_id', '=', modelId)
      .where('items.images_removed_at', 'is', null);
  return {
    /**
     * Items whose verdict of a person differs from the model's at its threshold of today, however old the person's verdict
     * is; oldest first.
     */
    async listDisagreements({ model_id, threshold }: ModelRow, limit: number): Promise<string[]> {
      const rows = await assessed(model_id)
        .select('items.item_id')
        .where('items.user_result', 'is not', null)
        .where('items.user_result', '<>', verdictAt(threshold))
        .orderBy('items.seq')
        .limit(limit)
        .execute();
      return rows.map((row) => row.item_id);
    },

    /** Items with a verdict of a person that are not for training; the newest assessments first. */
    async listJudged(modelId: string, limit: number): Promise<string[]> {
      const rows = await assessed(modelId)
        .select('items.item_id')
        .where('items.user_result', 'is not', null)
        .where('items.is_training', '=', 0)
        .orderBy('assessments.seq', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => row.item_id);
    },

    /** How many of the items the model has not inspected. @param itemIds each once */
    async countUnseen(modelId: string, itemIds: readonly string[]): Promise<number> {
      const { seen } = await db
        .selectFrom('assessments')
        .select(({ fn }) => fn.count<number | string>('item_id').distinct().as('seen'))
        .where('model_id', '=', modelId)
        .where('item_id', 'in', itemIds)
        .executeTakeFirstOrThrow();
      return itemIds.length - Number(seen);
    },

    /** Items whose verdict of a person is that of the model; newest first. */
    async listAgreements(modelId: string, limit: number): Promise<string[]> {
      const rows = await assessed(modelId)
        .select('items.item_id')
        .whereRef('items.user_result', '=', 'assessments.result')
        .orderBy('assessments.seq', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => row.item_id);
    },
  };
}

/** The stored verdict, unless the threshold has changed since: then what the score says. */
const verdictAt = (threshold: number): RawBuilder<'OK' | 'NG'> => sql`case
  when assessments.threshold = ${threshold} then assessments.result
  when cast(assessments.anomaly_score as double precision) >= ${threshold} then 'NG' else 'OK' end`;
