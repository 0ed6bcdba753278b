import type { Kysely, Migration } from 'kysely';

export const migration0003: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('deliveries')
      .addColumn('delivery_id', 'text', (c) => c.primaryKey())
      .addColumn('model_id', 'text', (c) => c.notNull())
      .addColumn('item_id', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('snapshot', 'text', (c) => c.notNull())
      .addColumn('last_status', 'integer')
      .addColumn('last_error', 'text')
      .addColumn('last_tried_at', 'text')
      .addColumn('next_try_at', 'text')
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('deliveries_by_model').on('deliveries').columns(['model_id', 'delivery_id']).execute();
  },
};
