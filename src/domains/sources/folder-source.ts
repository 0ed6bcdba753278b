import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type FSWatcher, watch } from 'chokidar';
import type { Logger } from 'pino';
import { AppError, messageOf } from '../../errors.ts';
import type { UploadMemory } from '../../http/uploads.ts';
import {
  checkFolder,
  describeFolderFailure,
  doneFolder,
  type FileVersion,
  findVersion,
  hasImageExtension,
  readUnchanged,
  sameVersion,
  scanFolder,
  takeAway,
} from '../../line/watched-folder.ts';
import { type Message, readMessages, say, storeMessages } from '../../messages/message.ts';
import type { Trx } from '../../storage/database.ts';
import { findStorageFailure } from '../../storage-failure.ts';
import type { Admission } from './admission.ts';
import type { SourceTracker } from './source-state.ts';
import type { SourcesStore } from './sources.store.ts';

export interface FolderSource {
  readonly kind: 'folder';
  readonly path: string;
  readonly after: 'keep' | 'move' | 'delete';
}

/** Notifications only hasten: network drives have none. */
const scanMs = 1000;
/** A file that did not change for so long may be complete. */
const settleMs = 150;
/** A file that did not change for so long and cannot be read is reported. Until then somebody may still write it. */
const patienceMs = 5000;
const retryMs = 500;
const leastPauseMs = 5;
const forgetMs = 3_600_000;
const keptAbsentMs = 24 * 3_600_000;
const longestPath = 500;
const mostBytes = 64 * 1024 * 1024;

/** A file that nobody has taken yet. */
interface Candidate {
  version: FileVersion;
  /** When this version was seen first, on the clock of `performance.now()`. */
  seenAt: number;
  /** When to look at it. */
  dueAt: number;
  /** Its item is stored, and only the file is still there. */
  isTaken?: boolean;
}

/** Watches a folder and has each of its images stored once. */
export function openFolderSource(
  source: FolderSource,
  dependencies: {
    stationId: string;
    store: SourcesStore;
    admit: Admission['admit'];
    tracker: SourceTracker;
    memory: UploadMemory;
    limits: { roots: readonly string[]; dataDir: string };
    onTaken: () => void;
    /** Where the file of an item is, below the folder. */
    notePath(itemId: string, path: string, trx?: Trx): Promise<void>;
    log: Logger;
  },
) {
  const { stationId, store, admit, tracker, memory, limits, log } = dependencies;
  /** Versions that need no look any more. */
  const settled = new Map<string, FileVersion>();
  const candidates = new Map<string, Candidate>();
  const hinted = new Set<string>();
  /** Files whose items are stored and that cannot be moved or deleted, with the reason. */
  const stuck = new Map<string, Message>();
  let root = source.path;
  let watcher: FSWatcher | undefined;
  let nextScan = 0;
  let nextForgetting = 0;
  let stopped = false;
  let wake = (): void => {};

  const notice = (path: string, version: FileVersion): void => {
    const known = settled.get(path);
    if (known && sameVersion(known, version)) return;
    const earlier = candidates.get(path);
    if (earlier && sameVersion(earlier.version, version)) return;
    const now = performance.now();
    tracker.removeUnreadable(path);
    candidates.set(path, { version, seenAt: now, dueAt: now + settleMs });
  };

  const openWatcher = (): FSWatcher =>
    // Watches folders only: a watch for each file would cost memory, and a folder tells of its files anyway.
    watch(root, { ignored: (_, stats) => stats?.isFile() === true, ignoreInitial: true, followSymlinks: false })
      .on('raw', (_event, name, details) => {
        const { watchedPath } = details as { watchedPath?: string };
        if (typeof name !== 'string' || !watchedPath?.startsWith(root)) return;
        hinted.add(`${watchedPath}/${name}`.slice(root.length + 1));
        wake();
      })
      // Without notifications the scan does the work.
      .on('error', (err) => log.debug({ err }, 'a folder gives no notifications'));

  /** What the ledger knows of new candidates, as after a restart. */
  const consultLedger = async (): Promise<void> => {
    const paths = [...candidates.keys()].filter((path) => path.length <= longestPath);
    for (const row of await store.findFiles(stationId, paths)) {
      const { path, size, modified } = row;
      const version = candidates.get(path)?.version;
      if (!version || version.size !== size || version.modified !== modified) continue;
      if (row.item_id !== null) await finish(path, version);
      else {
        const [problem = say('text', { text: '' })] = readMessages(row.problem);
        tracker.addUnreadable({ name: path, since: row.seen_at, problem });
        settle(path, version);
      }
    }
  };

  const settle = (path: string, version: FileVersion): void => {
    candidates.delete(path);
    settled.set(path, version);
  };

  /** After its item is committed. A file that cannot be removed holds up no other. */
  const finish = async (path: string, version: FileVersion): Promise<void> => {
    if (source.after === 'keep') return settle(path, version);
    try {
      const moved = await takeAway(root, path, version, source.after);
      const [row] = moved === undefined ? [] : await store.findFiles(stationId, [path]);
      if (row?.item_id && moved !== undefined) await dependencies.notePath(row.item_id, moved);
    } catch (error) {
      candidates.set(path, { version, seenAt: 0, dueAt: performance.now() + scanMs, isTaken: true });
      stuck.set(path, say('folder.not-removable', { received: path, details: codeOf(error) }));
      return;
    }
    candidates.delete(path);
    stuck.delete(path);
    await store.deleteFiles(stationId, [path]);
  };

  const scan = async (): Promise<void> => {
    const checked = await checkFolder(source.path, source.after, limits);
    if ('problem' in checked) throw new FolderError(checked.problem);
    if (checked.path !== root || !watcher) {
      root = checked.path;
      await watcher?.close();
      watcher = openWatcher();
    }
    const found = await scanFolder(root);
    const isNew = (path: string): boolean => !candidates.has(path);
    const news = [...found].filter(([path]) => isNew(path));
    for (const [path, version] of found) notice(path, version);
    for (const path of candidates.keys()) if (!found.has(path)) candidates.delete(path);
    for (const path of settled.keys()) if (!found.has(path)) settled.delete(path);
    for (const path of stuck.keys()) if (!found.has(path)) stuck.delete(path);
    tracker.keepUnreadable((path) => found.has(path));
    if (news.some(([path]) => candidates.has(path))) await consultLedger();
    if (Date.now() > nextForgetting) await forgetAbsent(found);
  };

  /** Rows of files that are gone for good. An unmounted drive is an empty folder: then nothing is forgotten. */
  const forgetAbsent = async (found: ReadonlyMap<string, FileVersion>): Promise<void> => {
    nextForgetting = Date.now() + forgetMs;
    if (found.size === 0 && source.after === 'keep') return;
    const before = new Date(Date.now() - keptAbsentMs).toISOString();
    for (let after = ''; ; ) {
      const paths = await store.listPaths(stationId, before, after, 500);
      await store.deleteFiles(
        stationId,
        paths.filter((path) => !found.has(path)),
      );
      after = paths.at(-1) ?? '';
      if (paths.length < 500) return;
    }
  };

  const lookAtHints = async (): Promise<void> => {
    const paths = [...hinted];
    hinted.clear();
    const isPlain = (path: string): boolean => !path.split('/').some((part) => part === '' || part.startsWith('.'));
    for (const path of paths) {
      // A new folder shows in the next scan.
      if (!isPlain(path) || path.startsWith(`${doneFolder}/`) || !hasImageExtension(path)) continue;
      const version = await findVersion(root, path);
      if (version) notice(path, version);
    }
  };

  /** Files that cannot be read stay where they are. */
  const keepUnreadable = async (path: string, version: FileVersion, hash: string, problem: Message): Promise<void> => {
    const seenAt = new Date().toISOString();
    tracker.addUnreadable({ name: path, since: seenAt, problem });
    settle(path, version);
    if (path.length > longestPath) return;
    await store.saveFile({ ...rowOf(path, version, hash), problem: storeMessages([problem]), seen_at: seenAt });
    log.warn({ station: stationId, file: path, reason: problem }, 'a file of a watched folder cannot be read');
  };

  const rowOf = (path: string, { size, modified }: FileVersion, hash: string) => ({
    station_id: stationId,
    path,
    size,
    modified,
    hash,
    item_id: null as string | null,
    problem: null as string | null,
    seen_at: new Date().toISOString(),
  });

  const take = async (path: string, candidate: Candidate): Promise<void> => {
    const { version } = candidate;
    if (candidate.isTaken) return finish(path, version);
    const isPatient = performance.now() - candidate.seenAt < patienceMs;
    if (version.size > mostBytes || path.length > longestPath) {
      const problem = path.length > longestPath ? say('folder.long-name') : say('folder.large', { mebibytes: 64 });
      return keepUnreadable(path, version, '', problem);
    }
    const file = await readUnchanged(root, path, version, (stream) => memory.read(stream));
    if (!file) {
      candidates.delete(path);
      hinted.add(path);
      return;
    }
    const { bytes, release } = file;
    try {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const [known] = await store.findFiles(stationId, [path]);
      const row = rowOf(path, version, hash);
      if (known?.hash === hash && known.item_id !== null) {
        // The same image with another time.
        await store.saveFile({ ...row, item_id: known.item_id });
      } else {
        const record = async (trx: Trx, itemId: string): Promise<void> => {
          if (!(await store.claimFile({ ...row, item_id: itemId }, trx))) throw new AlreadyTaken();
          await dependencies.notePath(itemId, path, trx);
        };
        try {
          await admit({ stationId, path, bytes, record, mayGrow: isPatient });
        } catch (error) {
          if (error instanceof AlreadyTaken) return await finish(path, version);
          if (!(error instanceof AppError && error.code === 'image-invalid')) throw error;
          const [problem = error.detail] = error.problems.flatMap(({ errors }) => errors);
          if (!isPatient) return await keepUnreadable(path, version, hash, problem);
          candidate.dueAt = performance.now() + retryMs;
          return;
        }
        dependencies.onTaken();
      }
    } finally {
      release();
    }
    await finish(path, version);
  };

  const takeDue = async (): Promise<void> => {
    const due = [...candidates].filter(([, { dueAt }]) => dueAt <= performance.now());
    // The oldest first, so that items come in the order of the images.
    due.sort(([one, a], [other, b]) => a.version.modified - b.version.modified || (one < other ? -1 : 1));
    tracker.setWaiting(candidates.size);
    for (const [path, candidate] of due) {
      if (stopped) return;
      await take(path, candidate).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') candidates.delete(path);
        else if (error.syscall === 'open' && 'path' in error) {
          const problem = say('folder.file-forbidden', { details: codeOf(error) });
          await keepUnreadable(path, candidate.version, '', problem);
        } else throw error;
      });
      tracker.setWaiting(candidates.size);
    }
  };

  /** @returns how long to wait before the next look. */
  const look = async (): Promise<number> => {
    try {
      await lookAtHints();
      if (performance.now() >= nextScan) {
        await scan();
        nextScan = performance.now() + scanMs;
      }
      await takeDue();
      const [fault] = stuck.values();
      tracker.setFault(fault);
    } catch (error) {
      return complain(error);
    }
    const soonest = Math.min(nextScan, ...[...candidates.values()].map(({ dueAt }) => dueAt));
    return Math.max(1, soonest - performance.now());
  };

  const complain = (error: unknown): number => {
    // The station says by itself why it takes no images.
    if (error instanceof AppError && error.code === 'station-not-ready') tracker.setFault(undefined);
    else if (error instanceof AppError && (error.code === 'server-busy' || error.code === 'overloaded'))
      // Files wait in their folder until there is room.
      return 200;
    else tracker.setFault(describeFailure(source.path, error));
    return scanMs;
  };

  const run = async (): Promise<void> => {
    while (!stopped) {
      const ms = await look();
      // A file that is being written is noticed with each of its writes.
      await pause(leastPauseMs);
      if (hinted.size > 0) continue;
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await Promise.race([woken, pause(ms, undefined, { ref: false })]);
    }
  };
  const done = run();

  return {
    async stop(): Promise<void> {
      stopped = true;
      wake();
      await done;
      await watcher?.close();
    },
  };
}

/** Another server has stored this image meanwhile. */
class AlreadyTaken extends Error {}

class FolderError extends Error {
  override readonly name = 'FolderError';
  readonly detail: Message;
  constructor(detail: Message) {
    super(detail.code);
    this.detail = detail;
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

function describeFailure(path: string, error: unknown): Message {
  if (error instanceof FolderError) return error.detail;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // Errors of the system that name a file come from the folder; others from the database or the blob store.
  const isOfFolder = code !== undefined && syscall !== undefined && 'path' in (error as object);
  if (isOfFolder && code !== 'ENOSPC') return describeFolderFailure(path, error);
  return findStorageFailure(error)?.detail ?? messageOf(error);
}
