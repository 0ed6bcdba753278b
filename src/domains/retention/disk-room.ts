import { statfs } from 'node:fs/promises';
import type { Trx } from '../../storage/database.ts';
import type { SettingsStore } from '../../storage/settings.store.ts';
import type { DueItemStore } from './due-items.store.ts';
import type { RetentionSettingsValues } from './retention.schemas.ts';

export interface Room {
  /** Bytes. */
  readonly total: number;
  readonly free: number;
  /** What stays free; 0 where no limit is set. */
  readonly floor: number;
}

export type DiskRoom = ReturnType<typeof createDiskRoom>;

const settingsKey = 'retention';
const presets: RetentionSettingsValues = {
  min_free_bytes: null,
  min_free_percent: null,
  capacity_bytes: null,
  daily_at: '02:00',
};

/** The room that images have, and how much of it stays free. */
export function createDiskRoom(dependencies: {
  settings: SettingsStore;
  due: DueItemStore;
  /** Folder on the disk of the images; undefined: they are in a bucket. */
  folder: string | undefined;
}) {
  const { settings, due, folder } = dependencies;

  const readSettings = async (): Promise<RetentionSettingsValues> => ({
    ...presets,
    ...(JSON.parse((await settings.findSetting(settingsKey)) ?? '{}') as Partial<RetentionSettingsValues>),
  });

  return {
    readSettings,
    saveSettings: (trx: Trx, values: RetentionSettingsValues) =>
      settings.setSetting(settingsKey, JSON.stringify(values), trx),

    /** @returns undefined where nothing limits the room. */
    async measure(given?: RetentionSettingsValues): Promise<Room | undefined> {
      const { min_free_bytes: bytes, min_free_percent: percent, capacity_bytes } = given ?? (await readSettings());
      const limits: { total: number; free: number }[] = [];
      if (folder !== undefined) {
        const { blocks, bavail, bsize } = await statfs(folder);
        limits.push({ total: blocks * bsize, free: bavail * bsize });
      }
      if (capacity_bytes !== null) {
        const free = Math.max(0, capacity_bytes - (await due.countStoredBytes()));
        limits.push({ total: capacity_bytes, free });
      }
      if (limits.length === 0) return undefined;
      const total = Math.min(...limits.map((limit) => limit.total));
      const free = Math.min(...limits.map((limit) => limit.free));
      return { total, free, floor: bytes ?? Math.ceil((total * (percent ?? 0)) / 100) };
    },
  };
}
