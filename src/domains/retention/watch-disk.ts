import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { findStorageFailure } from '../../storage-failure.ts';
import type { DiskRoom, Room } from './disk-room.ts';
import type { RetentionService } from './retention.service.ts';

/** How long a measurement of the disk stands for uploads. */
const keepMs = 1000;
const intervalMs = 60_000;
/** Bytes that an image and its rows need. */
const leastFree = 256 * 1024;

const full = (reason: Message) => new AppError('storage-full', { reason }, { retryAfterSeconds: 60 });

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

  /** Why no image can be stored; undefined: there is room. */
  const findFault = async (): Promise<Message | undefined> => {
    try {
      const space = await measure();
      if (space !== undefined && space.free < leastFree) return full(say('storage.full', { details: 'ENOSPC' })).detail;
      return (await retention.refusesUploads(space)) ? full(say('retention.short')).detail : undefined;
    } catch (error) {
      const failure = findStorageFailure(error);
      if (failure) return failure.detail;
      throw error;
    }
  };

  return {
    /** Called before an image is stored. @throws AppError `storage-full`. */
    async admit(): Promise<void> {
      const space = await measure();
      const isShort = space !== undefined && space.free < space.floor;
      await look(isShort);
      if (isShort && (await retention.refusesUploads(space))) throw full(say('retention.short'));
    },

    findFault,

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
