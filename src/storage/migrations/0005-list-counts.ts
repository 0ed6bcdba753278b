import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';

/**
 * Facet: 0/1 training + 2 × person's verdict (0 none, 1 OK, 2 NG) + 6 × verdicts of models (bits: 1 OK, 2 NG).
 * On an item the bits are those of all models, on an assessment its own. What is counted, and the triggers that count it,
 * come with migration 0015.
 */
const itemFacet = `is_training + 2 * (case user_result when 'OK' then 1 when 'NG' then 2 else 0 end) + 6 * verdicts`;

async function addFacets(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  await sql`alter table items add column verdicts integer not null default 0`.execute(db);
  const kept = sql.raw(isPostgres ? 'stored' : 'virtual');
  await sql`alter table items add column facet integer generated always as (${sql.raw(itemFacet)}) ${kept}`.execute(db);
  await sql`alter table assessments add column item_seq integer`.execute(db);
  await sql`alter table assessments add column facet integer`.execute(db);
}

async function createCounts(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  await db.schema
    .createTable('list_counts')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('bucket', 'integer', (c) => c.notNull())
    .addColumn('facet', 'integer', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .execute();
  const unique = sql.raw(isPostgres ? '' : 'unique');
  const columns = sql.raw(isPostgres ? '(scope, bucket, facet) include (count)' : '(scope, bucket, facet)');
  await sql`create ${unique} index list_counts_key on list_counts ${columns}`.execute(db);
}

export const migration0005: Migration = {
  async up(db) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    await addFacets(db, isPostgres);
    await createCounts(db, isPostgres);
    await sql`create index items_by_facet on items (facet, seq)`.execute(db);
    await sql`create index assessments_by_facet on assessments (model_id, facet, item_seq)`.execute(db);
  },
};
