import type { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { readMessages } from '../../messages/message.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { ItemOrigin } from '../items/items.schemas.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { UploadedItem } from '../items/upload.ts';
import type { StartedPredictions } from '../prediction/prediction.service.ts';

export type InspectionService = ReturnType<typeof createInspectionService>;

/** For verdicts of other processes, and for inspections that failed. */
const pollMs = 50;

/** @param done emits the id of each item whose verdict this process has stored. */
export function createInspectionService({ items, done }: { items: ItemsService; done: EventEmitter }) {
  const watch = (itemId: string) => {
    let end = (): void => {};
    const isDone = new Promise<void>((resolve) => {
      end = resolve;
    });
    done.once(itemId, end);
    return { isDone, stop: () => done.off(itemId, end) };
  };

  /** @returns the item once its prediction has ended, or as it is at the deadline; undefined where it was deleted. */
  const waitForEnd = async (itemId: string, isDone: Promise<void>, deadline: number) => {
    for (;;) {
      // Read first: the verdict may have been stored together with the item.
      const [stored] = await items.findItems([itemId]);
      const isOpen = stored?.status === 'queued' || stored?.status === 'processing';
      const left = deadline - performance.now();
      if (!isOpen || left <= 0) return stored;
      await Promise.race([isDone, pause(Math.min(left, pollMs), undefined, { ref: false })]);
    }
  };

  return {
    /**
     * Stores an item with its prediction in one transaction and waits for the verdict.
     * @param deadline on the clock of `performance.now()`
     * @param onStored called once the item is stored
     * @returns the item, also where its verdict is not there in time.
     * @throws AppError `inspection-failed` where it will not have one; the item stays.
     */
    async inspect(
      item: UploadedItem,
      origin: ItemOrigin,
      prediction: StartedPredictions,
      deadline: number,
      onStored?: () => void,
    ): Promise<ItemDetails> {
      const { itemId } = item;
      const { isDone, stop } = watch(itemId);
      try {
        await items.addItems([item], { training: false, good: undefined, originOf: () => origin }, prediction);
        onStored?.();
        const judged = prediction.findJudged(itemId);
        if (judged) return judged;
        const stored = await waitForEnd(itemId, isDone, deadline);
        if (stored?.status === 'failed' || stored?.status === 'pending')
          throw new AppError('inspection-failed', { id: itemId, reason: readMessages(stored.status_text) });
        return await items.getItem(itemId);
      } finally {
        stop();
      }
    },

    /** Waits for the verdict on an item that is stored. @returns undefined where the item was deleted. */
    async awaitEnd(itemId: string, deadline: number): Promise<ItemDetails | undefined> {
      const { isDone, stop } = watch(itemId);
      try {
        await waitForEnd(itemId, isDone, deadline);
        return (await items.findDetails([itemId]))[0];
      } finally {
        stop();
      }
    },
  };
}
