import type { Db } from '../../storage/database.ts';

const countedTables = [
  'clients',
  'targets',
  'labels',
  'items',
  'item_images',
  'annotations',
  'models',
  'assessments',
  'deliveries',
  'jobs',
] as const;

export function createDebugFiguresStore(db: Db) {
  const countBy = async (table: 'items' | 'models'): Promise<Record<string, number>> => {
    const rows = await db
      .selectFrom(table)
      .select('status')
      .select((builder) => builder.fn.countAll<number | string>().as('count'))
      .groupBy('status')
      .execute();
    return Object.fromEntries(rows.map((row) => [row.status, Number(row.count)]));
  };

  return {
    /** Numbers of rows by table and status, and the last errors of jobs. */
    async getFigures() {
      const rows: Record<string, number> = {};
      for (const table of countedTables) {
        const query = db.selectFrom(table).select((builder) => builder.fn.countAll<number | string>().as('count'));
        rows[table] = Number((await query.executeTakeFirst())?.count ?? 0);
      }
      const lastJobErrors = await db
        .selectFrom('jobs')
        .select(['kind', 'attempts', 'last_error'])
        .where('last_error', 'is not', null)
        .orderBy('id', 'desc')
        .limit(50)
        .execute();
      return { rows, itemsByStatus: await countBy('items'), modelsByStatus: await countBy('models'), lastJobErrors };
    },
  };
}
