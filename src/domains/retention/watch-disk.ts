import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { DiskRoom, Room } from './disk-room.ts';
import type { RetentionService } from './retention.service.ts';

/** How long a measurement of the disk stands for uploads. */
const keepMs = 1000;
const intervalMs = 60_000;

export type DiskWatch = ReturnType<typeof createDiskWatch>;

/** Starts runs when they are due or the disk is short, and refuses uploads while nothing may be removed. */
export function createDiskWatch(dependencies: { retention: RetentionService; room: DiskRoom; log: Logger }) {
  const { retention, room, log } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  let measured: { at: number; room: Promise<Room | undefined> } | undefined;
  let looked = { at: Number.NEGATIVE_INFINITY, short: false };
  let looking: Promise<void> = Promise.resolve();

  const measure = (): Promise<Room | undefined> => {
    const now = performance.now();
    if (measured === undefined || now - measured.at > keepMs) {
      measured = { at: now, room: room.measure() };
      measured.room.catch(() => {
        measured = undefined;
      });
    }
    return measured.room;
  };

  /** At most once a minute by the clock, and at once when the disk gets short. */
  const look = async (isShort: boolean): Promise<void> => {
    const now = Date.now();
    const isNews = isShort && !looked.short;
    const isTime = Math.abs(now - looked.at) >= intervalMs;
    looked = { at: isTime || isNews ? now : looked.at, short: isShort };
    if (!isTime && !isNews) return;
    if (isShort || (await retention.isDailyDue())) await retention.requestRun();
  };

  const watch = async (): Promise<void> => {
    try {
      const space = await measure();
      await look(space !== undefined && space.free < space.floor);
    } catch (error) {
      log.warn({ err: error }, 'the disk could not be looked at; trying again in a minute');
    }
  };

  return {
    /** Called before an image is stored. @throws AppError `storage-full`. */
    async admit(): Promise<void> {
      const space = await measure();
      const isShort = space !== undefined && space.free < space.floor;
      await look(isShort);
      if (isShort && (await retention.refusesUploads(space)))
        throw new AppError('storage-full', { reason: say('retention.short') }, { retryAfterSeconds: 60 });
    },

    isShort: async (): Promise<boolean> => retention.refusesUploads(await measure()),

    start(): void {
      looking = watch();
      timer = setInterval(() => {
        looking = watch();
      }, intervalMs).unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await looking;
    },
  };
}
