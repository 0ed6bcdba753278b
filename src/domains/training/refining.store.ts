import type { Db } from '../../storage/database.ts';

export type RefiningStore = ReturnType<typeof createRefiningStore>;

/** Verdicts of people on items that a model has assessed. */
export function createRefiningStore(db: Db) {
  const assessed = (modelId: string) =>
    db
      .selectFrom('assessments')
      .innerJoin('items', 'items.item_id', 'assessments.item_id')
      .where('assessments.model_id', '=', modelId);
  return {
    /** Items whose verdict of a person is newer than `since` and differs from the model; oldest first. */
    async listDisagreements(modelId: string, since: string, limit: number): Promise<string[]> {
      const rows = await assessed(modelId)
        .select('items.item_id')
        .where('items.user_result', 'is not', null)
        .whereRef('items.user_result', '<>', 'assessments.result')
        .where('items.user_assessed_at', '>=', since)
        .orderBy('items.seq')
        .limit(limit)
        .execute();
      return rows.map((row) => row.item_id);
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
