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

export interface DebugFigures {
  readonly rows: Record<string, number>;
  readonly itemsByStatus: Record<string, number>;
  readonly modelsByStatus: Record<string, number>;
  readonly lastJobErrors: readonly { kind: string; attempts: number; last_error: string | null }[];
}

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
    /** How much there is of everything, and nothing of what it says. */
    async getFigures(): Promise<DebugFigures> {
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
