import { setTimeout as pause, setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Logger } from 'pino';
import { uuidv7 } from 'uuidv7';
import { AppError, messageOf } from '../../errors.ts';
import type { JobHandler } from '../../jobs/job-handlers.ts';
import { say, storeMessages } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Db, RetentionRuleRow, RetentionRunRow, Trx } from '../../storage/database.ts';
import type { SettingsStore } from '../../storage/settings.store.ts';
import { deleteUnused } from '../../storage/sweep.ts';
import { VisionError } from '../../vision/vision-error.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { DiskRoom } from './disk-room.ts';
import type { DueItem, DueItemStore, Step } from './due-items.store.ts';
import { stepsByAge, stepsForSpace } from './removal-steps.ts';
import { addRemoved, sumRemoved } from './removed-parts.ts';
import type { RemovedPartView } from './retention.schemas.ts';
import type { RetentionStore } from './retention.store.ts';

/** Items of one transaction: others wait for it. */
const batchSize = 100;
const thumbnailPixels = 320;
/** Some file systems give room back a moment after a deletion. */
const settleMs = 2000;
/** Holds the time since which nothing may be removed although the disk is short; empty otherwise. */
export const shortKey = 'retention_short';

interface Dependencies {
  readonly db: Db;
  readonly audit: AuditService;
  readonly blobs: BlobStore;
  readonly items: ItemsService;
  readonly store: RetentionStore;
  readonly due: DueItemStore;
  readonly room: DiskRoom;
  readonly settings: SettingsStore;
  readonly isDailyDue: () => Promise<boolean>;
  readonly makeThumbnail: (image: Uint8Array, size: number) => Promise<Uint8Array>;
  readonly log: Logger;
}

/** A run that is under way. Its row is in the database from the first removal on. */
interface Run {
  readonly row: RetentionRunRow;
  parts: RemovedPartView[];
  isStored: boolean;
}

/** Ended early: the rules were changed meanwhile, so that what is due has to be found again. */
class RulesChangedError extends Error {}

/**
 * Removes what is due, in bounded transactions. A blob goes after the commit that removed its image; where the process
 * ends between the two, the sweep deletes the blob.
 */
export function createRemovalHandler(dependencies: Dependencies): JobHandler<'retain'> {
  const { db, audit, store, due, room, settings } = dependencies;

  const openRun = async (): Promise<Run | undefined> => {
    const open = await store.findOpenRun();
    if (open) return { row: open, parts: JSON.parse(open.removed) as RemovedPartView[], isStored: true };
    const measured = await room.measure();
    const isDaily = await dependencies.isDailyDue();
    if (!isDaily && !(measured && measured.free < measured.floor)) return undefined;
    const row = newRun(isDaily ? 'daily' : 'space', 'running', measured?.free);
    // A run for space that finds nothing leaves no row: while the disk is short, one looks every minute.
    if (isDaily) await store.insertRun(db, row);
    return { row, parts: [], isStored: isDaily };
  };

  /** Records a batch in its transaction: in the log of runs, and in the audit trail with the ids of its items. */
  const recordBatch = async (
    trx: Trx,
    run: Run,
    step: Step,
    removed: readonly DueItem[],
  ): Promise<RemovedPartView[]> => {
    const parts = addRemoved(run.parts, step.reason, removed);
    if (!run.isStored) await store.insertRun(trx, run.row);
    await store.updateRun(trx, run.row.run_id, { ...sumRemoved(parts), removed: JSON.stringify(parts) });
    const details = { cause: run.row.cause, reason: step.reason, items: removed.map(({ itemId }) => itemId) };
    await audit.record(trx, 'retention.remove', [{ id: run.row.run_id, details }]);
    return parts;
  };

  const removeBatch = async (run: Run, step: Step, found: readonly DueItem[]): Promise<DueItem[]> => {
    const images = await due.findImages(found.map(({ itemId }) => itemId));
    const thumbnails = step.reason === 'records' ? [] : await makeThumbnails(dependencies, found, images);
    let parts = run.parts;
    const removed = await db.transaction().execute(async (trx) => {
      await due.excludeOthers(trx);
      await requireSameRules(store, trx, step);
      const locked = await due.lockDue(trx, step, found);
      if (locked.length === 0) return [];
      const ids = locked.map(({ itemId }) => itemId);
      if (step.reason === 'records') await dependencies.items.removeItems(trx, ids);
      else {
        const at = new Date().toISOString();
        const kept = thumbnails.filter((thumbnail) => ids.includes(thumbnail.item_id));
        const withThumbnail = new Set(kept.map((thumbnail) => thumbnail.item_id));
        await due.insertThumbnails(trx, kept);
        const isKept = (id: string): boolean => withThumbnail.has(id);
        await due.markRemoved(trx, ids.filter(isKept), at, true);
        await due.markRemoved(
          trx,
          ids.filter((id) => !isKept(id)),
          at,
          false,
        );
      }
      parts = await recordBatch(trx, run, step, locked);
      return locked;
    });
    if (removed.length > 0) Object.assign(run, { parts, isStored: true });
    const gone = new Set(removed.map(({ itemId }) => itemId));
    const hashes = new Set(images.filter(({ item_id }) => gone.has(item_id)).map(({ blob }) => blob));
    await deleteUnused(db, dependencies.blobs, [...hashes], Date.now());
    return removed;
  };

  /** @returns the bytes that went, at least `wanted` where there is as much. */
  const removeStep = async (run: Run, step: Step, wanted: number, signal: AbortSignal): Promise<number> => {
    let bytes = 0;
    let last: DueItem | undefined;
    while (bytes < wanted && step.picks.length > 0) {
      signal.throwIfAborted();
      const found = await due.listDue(step, last, batchSize);
      last = found.at(-1);
      if (!last) break;
      const removed = await removeBatch(run, step, cutAt(found, wanted - bytes));
      bytes += removed.reduce((sum, item) => sum + item.bytes, 0);
      await yieldToOthers();
    }
    return bytes;
  };

  const removeByAge = async (run: Run, signal: AbortSignal): Promise<void> => {
    const asOf = Date.parse(run.row.started_at);
    for (const step of stepsByAge(await store.listRules(), asOf))
      await removeStep(run, step, Number.POSITIVE_INFINITY, signal);
  };

  /** Removes until enough is free. @returns whether the disk is still short. */
  const removeForSpace = async (run: Run, signal: AbortSignal): Promise<boolean> => {
    const asOf = Date.parse(run.row.started_at);
    for (let pass = 1; ; pass++) {
      if (pass > 1) await pause(settleMs, undefined, { signal });
      const measured = await room.measure();
      let wanted = measured ? missingBytes(measured) : 0;
      if (wanted === 0) return false;
      const before = sumRemoved(run.parts).images;
      for (const step of stepsForSpace(await store.listRules(), asOf)) {
        if (wanted > 0) wanted -= await removeStep(run, step, wanted, signal);
      }
      if (sumRemoved(run.parts).images === before) return true;
    }
  };

  const removeAll = async (run: Run, signal: AbortSignal): Promise<boolean> => {
    for (;;) {
      try {
        await removeByAge(run, signal);
        return await removeForSpace(run, signal);
      } catch (error) {
        if (!(error instanceof RulesChangedError)) throw error;
      }
    }
  };

  return {
    async run(_payload, context) {
      const run = await openRun();
      if (!run) return;
      if (run.row.status === 'waiting') {
        const free = (await room.measure())?.free ?? null;
        await store.updateRun(db, run.row.run_id, { status: 'running', free_before: free });
      }
      const isShort = await removeAll(run, context.signal);
      const wasShort = (await settings.findSetting(shortKey)) ?? '';
      if (isShort !== (wasShort !== '')) await settings.setSetting(shortKey, isShort ? new Date().toISOString() : '');
      const sums = sumRemoved(run.parts);
      const changes = {
        status: 'done' as const,
        ended_at: new Date().toISOString(),
        free_after: (await room.measure())?.free ?? null,
        status_text: isShort ? storeMessages([say('retention.short')]) : null,
      };
      if (sums.images + sums.records > 0) dependencies.log.info({ run: run.row.run_id, ...sums }, 'retention removed');
      await context.completeWith(async (trx) => {
        if (run.isStored) await store.updateRun(trx, run.row.run_id, changes);
      });
    },
    async onDead(_payload, error, trx) {
      const open = await store.findOpenRun(trx);
      if (!open) return;
      const status_text = storeMessages([messageOf(error)]);
      await store.updateRun(trx, open.run_id, { status: 'failed', ended_at: new Date().toISOString(), status_text });
    },
  };
}

export function newRun(
  cause: RetentionRunRow['cause'],
  status: RetentionRunRow['status'],
  freeBefore: number | undefined,
): RetentionRunRow {
  return {
    run_id: uuidv7(),
    cause,
    status,
    started_at: new Date().toISOString(),
    ended_at: null,
    items: 0,
    images: 0,
    records: 0,
    bytes: 0,
    removed: '[]',
    free_before: freeBefore ?? null,
    free_after: null,
    status_text: null,
  };
}

/** A tenth more than stays free, so that the next image does not start the next run. */
export function missingBytes({ total, free, floor }: { total: number; free: number; floor: number }): number {
  return free >= floor ? 0 : Math.min(total, Math.ceil(floor * 1.1)) - free;
}

/** The first of the items that together have the bytes that are wanted. */
export function cutAt(items: readonly DueItem[], wanted: number): DueItem[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += item.bytes;
    return bytes >= wanted;
  });
  return end < 0 ? [...items] : items.slice(0, end + 1);
}

async function requireSameRules(store: RetentionStore, trx: Trx, step: Step): Promise<void> {
  const now = new Map((await store.listRules(trx)).map((rule) => [rule.retention_id, JSON.stringify(rule)]));
  const isSame = (rule: RetentionRuleRow): boolean => now.get(rule.retention_id) === JSON.stringify(rule);
  if (!step.picks.every(({ rule }) => isSame(rule))) throw new RulesChangedError();
}

/** An image that cannot be read has no thumbnail. */
async function makeThumbnails(
  { blobs, makeThumbnail, log }: Dependencies,
  found: readonly DueItem[],
  images: readonly { item_id: string; position: number; blob: string }[],
) {
  const wanted = new Set(found.filter(({ pick }) => pick.rule.keep_thumbnails === 1).map(({ itemId }) => itemId));
  const thumbnails: { item_id: string; position: number; webp: Buffer }[] = [];
  for (const { item_id, position, blob } of images.filter((image) => wanted.has(image.item_id))) {
    try {
      thumbnails.push({
        item_id,
        position,
        webp: Buffer.from(await makeThumbnail(await blobs.get(blob), thumbnailPixels)),
      });
    } catch (error) {
      const isDamaged = error instanceof AppError && error.code === 'storage-damaged';
      if (!isDamaged && !(error instanceof VisionError)) throw error;
      log.warn({ err: error, item: item_id }, 'an image is removed without a thumbnail, because it cannot be read');
    }
  }
  return thumbnails;
}
