import type { Db, Trx } from '../../storage/database.ts';

export interface Label {
  readonly label: number;
  readonly name: string;
}

export type LabelStore = ReturnType<typeof createLabelStore>;

export function createLabelStore(db: Db) {
  return {
    listLabels: (trx: Db | Trx = db): Promise<Label[]> =>
      trx.selectFrom('labels').selectAll().orderBy('label').execute(),

    /** Replaces the whole list. */
    async replaceLabels(trx: Trx, labels: readonly Label[]): Promise<void> {
      await trx.deleteFrom('labels').execute();
      if (labels.length > 0) await trx.insertInto('labels').values(labels).execute();
    },
  };
}
