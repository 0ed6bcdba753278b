import { sql } from 'kysely';
import { type Message, say, storeMessages } from '../../messages/message.ts';
import { chunks } from '../../storage/chunks.ts';
import type { Db, Trx } from '../../storage/database.ts';

export type PredictionEnd =
  /** `messages`: what a person should know of it all the same. */
  | { readonly status: 'done'; readonly messages?: readonly Message[] }
  | { readonly status: 'failed'; readonly messages: readonly Message[] }
  /** The model was deleted: the item shows the verdict of another model, or says why it has none. */
  | { readonly status: 'withdrawn'; readonly messages?: never };

const textOf = ({ messages = [] }: PredictionEnd): string | null =>
  messages.length > 0 ? storeMessages(messages) : null;

/** In place of the model that was asked last, once its prediction has failed and others go on. */
const LATEST_FAILED = 'failed';

export type ItemStatusStore = ReturnType<typeof createItemStatusStore>;

/**
 * The status of an item is that of all its predictions together: under way while one is, and then how the one ended that
 * was asked for last. Which one that was is kept only where a prediction is asked for while another is under way
 * (`latest_model_id`), so that an item with one prediction costs one statement at either end.
 */
export function createItemStatusStore(db: Db) {
  const findVerdict = (trx: Trx, itemId: string) =>
    trx.selectFrom('assessments').select('seq').where('item_id', '=', itemId).limit(1).executeTakeFirst();

  const endOneOfMany = async (
    trx: Trx,
    { itemId, modelId }: { itemId: string; modelId: string },
    end: PredictionEnd,
    hasOthers: () => Promise<boolean>,
  ): Promise<void> => {
    const item = trx.updateTable('items').where('item_id', '=', itemId);
    // Locks the row: of two predictions that end at the same moment, one sees that the other has ended.
    const locking = item.set(({ ref }) => ({ latest_model_id: ref('latest_model_id') }));
    const row = await locking.returning(['status', 'status_text', 'latest_model_id']).executeTakeFirst();
    if (!row) return;
    if (row.status !== 'queued' && row.status !== 'processing' && end.status === 'withdrawn') return;
    const { latest_model_id: latest, status_text: earlier } = row;
    const isLatest = latest === null || latest === modelId;
    const failed = isLatest ? end.status === 'failed' : latest === LATEST_FAILED;
    const text = isLatest ? textOf(end) : (earlier ?? (end.status === 'done' ? textOf(end) : null));
    if (await hasOthers()) {
      await item.set({ status_text: text, latest_model_id: failed ? LATEST_FAILED : latest }).execute();
      return;
    }
    const hasVerdict = end.status === 'done' || (await findVerdict(trx, itemId)) !== undefined;
    const status = failed ? 'failed' : hasVerdict ? 'done' : 'pending';
    const reason = status === 'pending' ? storeMessages([say('status.model-deleted')]) : text;
    await item.set({ status, status_text: reason, latest_model_id: null }).execute();
  };

  return {
    async queueItems(trx: Trx, itemIds: readonly string[], modelId: string): Promise<void> {
      for (const part of chunks(itemIds)) {
        const latest = sql<string | null>`case when status in ('queued', 'processing')
          then cast(${modelId} as text) else null end`;
        const changes = { status: 'queued' as const, status_text: null, latest_model_id: latest };
        await trx.updateTable('items').set(changes).where('item_id', 'in', part).execute();
      }
    },

    /** Says that a queued item is being worked on; an item in any other state stays as it is. */
    async markProcessing(itemId: string): Promise<void> {
      const waiting = db.updateTable('items').where('item_id', '=', itemId).where('status', '=', 'queued');
      await waiting.set({ status: 'processing' }).execute();
    },

    /** @param hasOthers whether another prediction of the item waits or runs; called only where one may. */
    async endPrediction(
      trx: Trx,
      prediction: { itemId: string; modelId: string },
      end: PredictionEnd,
      hasOthers: () => Promise<boolean>,
    ): Promise<void> {
      if (end.status !== 'withdrawn') {
        const changes = { status: end.status, status_text: textOf(end) };
        const alone = trx
          .updateTable('items')
          .set(changes)
          .where('item_id', '=', prediction.itemId)
          .where('latest_model_id', 'is', null);
        if ((await alone.executeTakeFirst()).numUpdatedRows > 0n) return;
      }
      await endOneOfMany(trx, prediction, end, hasOthers);
    },
  };
}
