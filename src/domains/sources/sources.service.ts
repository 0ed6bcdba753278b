import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type FieldProblem, fieldErrors } from '../../errors.ts';
import type { UploadMemory } from '../../http/uploads.ts';
import { checkFolder, overlap } from '../../line/watched-folder.ts';
import { type Message, say } from '../../messages/message.ts';
import type { StationRow } from '../../storage/database.ts';
import type { StationsService } from '../stations/stations.service.ts';
import type { AdmitImage } from './admit-image.ts';
import { type FolderSource, openFolderSource } from './folder-source.ts';
import { type SourceState, type SourceTracker, trackSource } from './source-state.ts';
import type { SourcesStore } from './sources.store.ts';

export type SourcesService = ReturnType<typeof createSourcesService>;
export type SourceSettings = { readonly kind: 'http' } | FolderSource;

/** The source of a station as a person sent it. */
export interface SourceInput {
  readonly kind: SourceSettings['kind'];
  readonly path?: string;
  readonly after?: FolderSource['after'];
}

/** A source that this server serves. */
interface RunningSource {
  readonly settings: string;
  readonly kind: string;
  /** Of its station. */
  name: string;
  readonly tracker: SourceTracker;
  stop(): Promise<void>;
}

/** Figures of a source, for metrics. */
export interface SourceFigures {
  /** Of the station. */
  readonly name: string;
  readonly kind: string;
  readonly state: SourceState;
  /** Images that this process has stored. */
  readonly taken: number;
}

const reconcileMs = 1000;
/** Of each kind of source, its fields besides `kind`. */
const fieldsOf: Readonly<Record<SourceSettings['kind'], readonly string[]>> = { http: [], folder: ['path', 'after'] };

/** Serves the folders and cameras of all stations that are switched on. */
export function createSourcesService(dependencies: {
  store: SourcesStore;
  stations: Pick<StationsService, 'listRows'>;
  admit: AdmitImage;
  memory: UploadMemory;
  limits: { roots: readonly string[]; dataDir: string };
  log: Logger;
}) {
  const { store, stations, admit, limits, log } = dependencies;
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  const running = new Map<string, RunningSource>();
  const taken = new Map<string, number>();
  let stopped = true;
  let looping: Promise<void> = Promise.resolve();
  let wake = (): void => {};

  const open = (station: StationRow, source: FolderSource): RunningSource => {
    const { station_id: stationId } = station;
    const tracker = trackSource((fault) => {
      if (fault) log.warn({ station: stationId, fault }, 'the source of a station fails');
      else log.info({ station: stationId }, 'the source of a station works again');
    });
    const onTaken = (): void => void taken.set(stationId, (taken.get(stationId) ?? 0) + 1);
    const parts = { stationId, store, admit, tracker, memory: dependencies.memory, limits, onTaken, log };
    const { stop } = openFolderSource(source, parts);
    return { settings: station.source, kind: source.kind, name: station.name, tracker, stop };
  };

  const close = async (stationId: string): Promise<void> => {
    const source = running.get(stationId);
    running.delete(stationId);
    await source?.stop();
    await store.releaseLease(stationId, holder);
  };

  /** Opens and closes what the stations' settings ask for. */
  const reconcile = async (): Promise<void> => {
    const wanted = new Map<string, { station: StationRow; source: FolderSource }>();
    for (const station of await stations.listRows()) {
      const source = parseSource(station);
      if (station.enabled === 1 && source.kind === 'folder') wanted.set(station.station_id, { station, source });
    }
    for (const [stationId, { settings }] of [...running]) {
      if (wanted.get(stationId)?.station.source !== settings) await close(stationId);
    }
    for (const [stationId, { station, source }] of wanted) {
      const current = running.get(stationId);
      const isOurs = await store.holdLease(stationId, holder, JSON.stringify(current?.tracker.current() ?? {}));
      if (!isOurs && current) await close(stationId);
      if (isOurs && !current) running.set(stationId, open(station, source));
      if (current) current.name = station.name;
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      await reconcile().catch((err) => log.warn({ err }, 'the sources of stations could not be looked after'));
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (!stopped) await Promise.race([woken, pause(reconcileMs, undefined, { ref: false })]);
    }
  };

  /** @throws AppError naming each field that the kind lacks or does not know. */
  const requireFields = (input: SourceInput): void => {
    const known = fieldsOf[input.kind];
    const problems: FieldProblem[] = Object.keys(input)
      .filter((key) => key !== 'kind' && !known.includes(key))
      .map((key) => ({ key: `source.${key}`, errors: [say('source.not-of-kind', { kind: input.kind })] }));
    if (input.kind === 'folder' && input.path === undefined)
      problems.push({ key: 'source.path', errors: [say('field.required')] });
    if (problems.length > 0) throw fieldErrors('invalid-request', problems);
  };

  const refuse = (key: string, problem: Message) => fieldErrors('invalid-request', [{ key, errors: [problem] }]);

  /** @throws AppError where the folder cannot be watched, or another station watches it. */
  const checkFolderSource = async (source: FolderSource, stationId?: string): Promise<void> => {
    const checked = await checkFolder(source.path, source.after, limits);
    if ('problem' in checked) throw refuse('source.path', checked.problem);
    for (const other of await stations.listRows()) {
      const theirs = parseSource(other);
      if (other.station_id === stationId || theirs.kind !== 'folder') continue;
      if (overlap(theirs.path, checked.path) || overlap(theirs.path, source.path))
        throw refuse('source.path', say('folder.taken', { name: other.name, path: theirs.path }));
    }
  };

  return {
    /** The settings as they are stored. @throws AppError naming the first field that cannot be used. */
    async check(input: SourceInput, stationId?: string): Promise<SourceSettings> {
      requireFields(input);
      if (input.kind === 'http') return { kind: 'http' };
      const source: FolderSource = { kind: 'folder', path: input.path ?? '', after: input.after ?? 'keep' };
      await checkFolderSource(source, stationId);
      return source;
    },

    /** Undefined where the station has no source of its own, or is switched off. */
    async stateOf(station: StationRow): Promise<SourceState | undefined> {
      if (station.enabled === 0 || parseSource(station).kind === 'http') return undefined;
      const ours = running.get(station.station_id);
      if (ours) return ours.tracker.current();
      const text = await store.findLeaseState(station.station_id);
      const state = JSON.parse(text ?? '{}') as Partial<SourceState>;
      if (state.since !== undefined) return { waiting: 0, unreadable: [], fault: undefined, ...state } as SourceState;
      return { fault: say('source.starting'), since: station.updated_at, waiting: 0, unreadable: [] };
    },

    /** Sources of this server that do not work. */
    async listFaults() {
      return [...running].flatMap(([stationId, { tracker }]) => {
        const { fault, since } = tracker.current();
        return fault ? [{ station_id: stationId, code: fault.code, since }] : [];
      });
    },

    /** The sources that this server serves. */
    listFigures: (): SourceFigures[] =>
      [...running].map(([stationId, { name, kind, tracker }]) => {
        return { name, kind, state: tracker.current(), taken: taken.get(stationId) ?? 0 };
      }),

    /** Call it when settings of a station were changed. */
    settingsChanged: (): void => wake(),

    start(): void {
      stopped = false;
      looping = loop();
    },

    async stop(): Promise<void> {
      stopped = true;
      wake();
      await looping;
      await Promise.all([...running.keys()].map(close));
    },
  };
}

export const parseSource = ({ source }: Pick<StationRow, 'source'>): SourceSettings =>
  JSON.parse(source) as SourceSettings;
