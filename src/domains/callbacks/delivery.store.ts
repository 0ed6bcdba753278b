import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db, DeliveriesTable, DeliveryStatus, Trx } from '../../storage/database.ts';

export type Delivery = Selectable<DeliveriesTable>;

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

export function createDeliveryStore(db: Db) {
  const countBy = async (column: 'model_id' | 'station_id', id: string): Promise<Record<DeliveryStatus, number>> => {
    const rows = await db
      .selectFrom('deliveries')
      .select('status')
      .select((builder) => builder.fn.countAll<number | string>().as('count'))
      .where(column, '=', id)
      .groupBy('status')
      .execute();
    const count = (status: DeliveryStatus) => Number(rows.find((row) => row.status === status)?.count ?? 0);
    return { pending: count('pending'), delivered: count('delivered'), dead: count('dead') };
  };

  return {
    async insertDelivery(trx: Trx, delivery: Insertable<DeliveriesTable>): Promise<void> {
      await trx.insertInto('deliveries').values(delivery).execute();
    },

    findDelivery: (deliveryId: string): Promise<Delivery | undefined> =>
      db.selectFrom('deliveries').selectAll().where('delivery_id', '=', deliveryId).executeTakeFirst(),

    async updateDelivery(trx: Trx, deliveryId: string, changes: Updateable<DeliveriesTable>): Promise<void> {
      await trx.updateTable('deliveries').set(changes).where('delivery_id', '=', deliveryId).execute();
    },

    async deleteDelivery(trx: Trx, deliveryId: string): Promise<void> {
      await trx.deleteFrom('deliveries').where('delivery_id', '=', deliveryId).execute();
    },

    /** Newest first; `page` counts from 1. */
    listDeliveries(modelId: string, page: number, count: number) {
      return db
        .selectFrom('deliveries')
        .select(['delivery_id', 'model_id', 'item_id', 'status', 'attempts'])
        .select(['last_status', 'last_error', 'last_tried_at', 'next_try_at', 'created_at'])
        .where('model_id', '=', modelId)
        .orderBy('delivery_id', 'desc')
        .limit(count)
        .offset((page - 1) * count)
        .execute();
    },

    countDeliveries: (modelId: string) => countBy('model_id', modelId),
    countStationDeliveries: (stationId: string) => countBy('station_id', stationId),

    listStationDeliveries(stationId: string, page: number, count: number) {
      return db
        .selectFrom('deliveries')
        .select(['delivery_id', 'output', 'item_id', 'status', 'attempts'])
        .select(['last_status', 'last_error', 'last_tried_at', 'next_try_at', 'created_at'])
        .where('station_id', '=', stationId)
        .orderBy('delivery_id', 'desc')
        .limit(count)
        .offset((page - 1) * count)
        .execute();
    },

    /** The oldest first. @param except stations that are passed over */
    listWaiting: (output: string, limit: number, except: readonly string[] = []): Promise<Delivery[]> =>
      db
        .selectFrom('deliveries')
        .selectAll()
        .where('output', '=', output)
        .where('station_id', 'is not', null)
        .where('status', '=', 'pending')
        .$if(except.length > 0, (query) => query.where('station_id', 'not in', except))
        .orderBy('delivery_id')
        .limit(limit)
        .execute(),

    /** How many results of stations wait, by kind of output. */
    async countWaiting(): Promise<{ output: string; count: number }[]> {
      const rows = await db
        .selectFrom('deliveries')
        .select('output')
        .select((builder) => builder.fn.countAll<number | string>().as('count'))
        .where('station_id', 'is not', null)
        .where('status', '=', 'pending')
        .groupBy('output')
        .execute();
      return rows.map(({ output, count }) => ({ output: output ?? '', count: Number(count) }));
    },

    async markDelivered(deliveryIds: readonly string[]): Promise<void> {
      if (deliveryIds.length === 0) return;
      const now = new Date().toISOString();
      const changes = { status: 'delivered' as const, attempts: 1, snapshot: '', last_tried_at: now };
      await db.updateTable('deliveries').set(changes).where('delivery_id', 'in', deliveryIds).execute();
    },

    /** Deletes deliveries that ended before the given moment. */
    async pruneDeliveries(before: string): Promise<void> {
      await db
        .deleteFrom('deliveries')
        .where('status', '!=', 'pending')
        .where((builder) => builder.fn.coalesce('last_tried_at', 'created_at'), '<', before)
        .execute();
    },
  };
}
