import type { Logger } from 'pino';
import {
  checkFolder,
  doneFolder,
  findMoved,
  findVersion,
  isLeaving,
  isWritable,
  sidecarOf,
  writeWhole,
} from '../../line/watched-folder.ts';
import { type Message, say } from '../../messages/message.ts';
import type { StationRow } from '../../storage/database.ts';
import type { CallbacksService } from '../callbacks/callbacks.service.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { FolderSource } from '../sources/folder-source.ts';
import { parseOutputs } from '../stations/check-outputs.ts';
import { resultOf } from './station-result.ts';

type Waiting = Awaited<ReturnType<CallbacksService['listWaiting']>>[number];

const pollMs = 1000;
const portion = 100;

/** Writes the results of stations that watch a folder beside their files. */
export function createSidecarService(dependencies: {
  callbacks: CallbacksService;
  items: Pick<ItemsService, 'findItems'>;
  /** Folders below which stations may watch folders, and the folder of the data. */
  limits: { roots: readonly string[]; dataDir: string };
  log: Logger;
}) {
  const { callbacks, items, limits, log } = dependencies;
  /** Why the results of a station wait, by station. */
  let faults = new Map<string, Message>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isAsked = false;
  let working: Promise<void> | undefined;

  /** Where the result of a file goes; undefined while the file is on its way. */
  const findPlace = async (root: string, path: string, after: FolderSource['after']): Promise<string | undefined> => {
    if (after !== 'move' || path.startsWith(`${doneFolder}/`)) return sidecarOf(path);
    if ((await findVersion(root, path)) || (await isLeaving(root, path))) return undefined;
    return sidecarOf((await findMoved(root, path)) ?? path);
  };

  /** @returns whether its delivery is done. @throws SidecarError */
  const write = async ({ snapshot, station }: Waiting): Promise<boolean> => {
    const source = station && folderOf(station);
    const [item] = await items.findItems([snapshot.item.item_id]);
    // Station, output or item are gone, or the item came from somewhere else.
    if (!source || !item?.source_path) return true;
    const checked = await checkFolder(source.path, 'keep', limits);
    if ('problem' in checked) throw new SidecarError(checked.problem);
    const place = await findPlace(checked.path, item.source_path, source.after);
    if (place === undefined) return false;
    try {
      await writeWhole(checked.path, place, `${JSON.stringify(resultOf(snapshot), null, 2)}\n`);
    } catch (error) {
      throw new SidecarError(describeFailure(source.path, place, error));
    }
    return true;
  };

  const work = async (): Promise<void> => {
    const found = new Map<string, Message>();
    // The results of a station keep their order, so the first that waits holds up the others of its station.
    const held = new Set<string>();
    for (let done: string[] = ['']; done.length > 0 && !stopped; ) {
      done = [];
      try {
        for (const waiting of await callbacks.listWaiting('sidecar', portion, [...held])) {
          const stationId = waiting.station?.station_id ?? '';
          if (held.has(stationId)) continue;
          try {
            if (await write(waiting)) done.push(waiting.deliveryId);
            else held.add(stationId);
          } catch (error) {
            if (!(error instanceof SidecarError)) throw error;
            held.add(stationId);
            found.set(stationId, error.problem);
          }
        }
      } finally {
        await callbacks.markDelivered(done);
      }
    }
    faults = found;
  };

  const wake = (): void => {
    isAsked = true;
    if (stopped || working) return;
    working = (async () => {
      while (isAsked && !stopped) {
        isAsked = false;
        await work();
      }
    })()
      .catch((err) => {
        if (!stopped) log.warn({ err }, 'results could not be written beside their files; trying again');
      })
      .finally(() => {
        working = undefined;
      });
  };

  return {
    wake,
    /** Why results of the station wait; undefined: they do not. */
    findFault: (stationId: string): Message | undefined => faults.get(stationId),

    /** What keeps results from being written into the folder; undefined: nothing. */
    async findProblem(folder: string | undefined): Promise<Message | undefined> {
      if (folder === undefined) return say('output.no-folder');
      const checked = await checkFolder(folder, 'keep', limits);
      if ('problem' in checked) return checked.problem;
      return (await isWritable(checked.path)) ? undefined : say('sidecar.read-only', { received: folder });
    },

    start(): void {
      timer = setInterval(wake, pollMs);
      timer.unref();
    },

    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await working;
    },
  };
}

class SidecarError extends Error {
  readonly problem: Message;
  constructor(problem: Message) {
    super(problem.code);
    this.problem = problem;
  }
}

function folderOf(station: StationRow): FolderSource | undefined {
  const source = JSON.parse(station.source) as FolderSource | { kind: 'http' };
  const isWanted = parseOutputs(station).some(({ kind }) => kind === 'sidecar');
  return isWanted && source.kind === 'folder' ? source : undefined;
}

function describeFailure(folder: string, place: string, error: unknown): Message {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return say('sidecar.full', { received: folder });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return say('sidecar.read-only', { received: folder });
  return say('sidecar.failed', { received: place, details: code || message });
}
