import type { Db } from '../../storage/database.ts';

export interface Label {
  readonly label: number;
  readonly name: string;
}

export interface LabelsService {
  listLabels(): Promise<Label[]>;
  /** Replaces the whole list. */
  replaceLabels(labels: readonly Label[]): Promise<Label[]>;
  /** Name of a class number: the one given by a person, else the number itself. */
  nameLabel(label: number): Promise<string>;
  /** The label of a verdict with regions of these classes: the most frequent one, else `defect`. */
  nameVerdict(labels: readonly number[]): Promise<string>;
}

export function createLabelsService(db: Db): LabelsService {
  const nameLabel = async (label: number): Promise<string> => {
    const row = await db.selectFrom('labels').select('name').where('label', '=', label).executeTakeFirst();
    return row?.name ?? String(label);
  };
  const listLabels = () => db.selectFrom('labels').selectAll().orderBy('label').execute();

  return {
    listLabels,
    async replaceLabels(labels) {
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom('labels').execute();
        if (labels.length > 0)
          await trx
            .insertInto('labels')
            .values([...labels])
            .execute();
      });
      return listLabels();
    },
    nameLabel,
    async nameVerdict(labels) {
      const counts = new Map<number, number>();
      for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
      const [most] = [...counts].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
      return most === undefined ? 'defect' : nameLabel(most[0]);
    },
  };
}
