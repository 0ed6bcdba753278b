import type { Db } from '../../storage/database.ts';

export type RefiningStore = ReturnType<typeof createRefiningStore>;

/** What people said of items that a model has judged. */
export function createRefiningStore(db: Db) {
  const judged = (modelId: string) =>
    db
      .selectFrom('assessments')
      .innerJoin('items', 'items.item_id', 'assessments.item_id')
      .where('assessments.model_id', '=', modelId);
  return {
    /** Judged since then, otherwise than by the model; oldest first. */
    async listDisagreements(modelId: string, since: string, limit: number): Promise<string[]> {
      const rows = await judged(modelId)
        .select('items.item_id')
        .where('items.user_result', 'is not', null)
        .whereRef('items.user_result', '<>', 'assessments.result')
        .where('items.user_assessed_at', '>=', since)
        .orderBy('items.seq')
        .limit(limit)
        .execute();
      return rows.map((row) => row.item_id);
    },

    /** Judged by the person as by the model; newest first. */
    async listAgreements(modelId: string, limit: number): Promise<string[]> {
      const rows = await judged(modelId)
        .select('items.item_id')
        .whereRef('items.user_result', '=', 'assessments.result')
        .orderBy('assessments.seq', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => row.item_id);
    },
  };
}
