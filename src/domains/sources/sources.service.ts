import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, folderRoots } from '../../config.ts';
import { AppError, type FieldProblem, fieldErrors } from '../../errors.ts';
import type { UploadMemory } from '../../http/uploads.ts';
import {
  type CameraInput,
  findCameraProblem,
  hidePassword,
  parseCameraUrl,
  restorePassword,
} from '../../line/camera/camera-address.ts';
import { tryCapture } from '../../line/camera/capture.ts';
import { checkFolder, overlap } from '../../line/watched-folder.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Db, StationRow, Trx } from '../../storage/database.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { Arrival } from '../stations/arrival.ts';
import type { StationsService } from '../stations/stations.service.ts';
import type { Admission } from './admission.ts';
import { type CameraImage, type CameraSource, openCameraSource } from './camera-source.ts';
import { type FolderSource, openFolderSource } from './folder-source.ts';
import type { FtpStore } from './ftp.store.ts';
import { createFtpReceiver, type FtpLogin } from './ftp-receiver.ts';
import { type SourceState, type SourceTracker, trackSource } from './source-state.ts';
import type { SourcesStore } from './sources.store.ts';

export type SourcesService = ReturnType<typeof createSourcesService>;
export type SourceSettings = { readonly kind: 'http' } | { readonly kind: 'ftp' } | FolderSource | CameraSource;

/** The source of a station as a person sent it. */
export interface SourceInput {
  readonly kind: SourceSettings['kind'];
  readonly path?: string;
  readonly after?: FolderSource['after'];
  readonly url?: string;
  readonly trigger?: CameraSource['trigger'];
}

type OwnSource = Exclude<SourceSettings, { kind: 'http' }>;

/** A source that this server serves. */
interface RunningSource {
  readonly settings: string;
  readonly kind: string;
  /** Of its station. */
  name: string;
  readonly tracker: SourceTracker;
  readonly camera?: { take(): Promise<CameraImage | undefined>; latest(): Buffer | undefined } | undefined;
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
const fieldsOf: Readonly<Record<SourceSettings['kind'], readonly string[]>> = {
  http: [],
  folder: ['path', 'after'],
  ftp: [],
  camera: ['url', 'trigger'],
};

/** Serves the folders and cameras of all stations that are switched on. */
export function createSourcesService(dependencies: {
  db: Db;
  audit: AuditService;
  store: SourcesStore;
  stations: Pick<StationsService, 'listRows'>;
  ftpStore: FtpStore;
  admission: Admission;
  config: Config;
  memory: UploadMemory;
  /** Where the file of an item is in its folder. */
  notePath(itemId: string, path: string, trx?: Trx): Promise<void>;
  log: Logger;
}) {
  const { store, stations, admission, config, memory, log } = dependencies;
  const limits = { roots: folderRoots(config), dataDir: config.KENSA_DATA_DIR };
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  const running = new Map<string, RunningSource>();
  const taken = new Map<string, number>();
  const countTaken = (stationId: string): void => void taken.set(stationId, (taken.get(stationId) ?? 0) + 1);
  const ftp = createFtpReceiver({
    db: dependencies.db,
    audit: dependencies.audit,
    config,
    store: dependencies.ftpStore,
    admission,
    memory,
    trackerOf: (stationId) => {
      const source = running.get(stationId);
      return source?.kind === 'ftp' ? source.tracker : undefined;
    },
    onTaken: countTaken,
    log,
  });
  let stopped = true;
  let looping: Promise<void> = Promise.resolve();
  let wake = (): void => {};

  const open = (station: StationRow, source: OwnSource): RunningSource => {
    const { station_id: stationId } = station;
    const tracker = trackSource((fault) => {
      if (fault) log.warn({ station: stationId, fault }, 'the source of a station fails');
      else log.info({ station: stationId }, 'the source of a station works again');
    });
    const onTaken = (): void => countTaken(stationId);
    const common = { settings: station.source, kind: source.kind, name: station.name, tracker };
    if (source.kind === 'ftp') {
      tracker.setFault(ftp.isOn ? undefined : say('ftp.off'));
      return { ...common, stop: async () => {} };
    }
    if (source.kind === 'camera') {
      const parts = { stationId, admit: admission.admit, tracker, onTaken, log };
      return { ...common, ...openCameraSource(source, parts) };
    }
    const { notePath } = dependencies;
    const parts = { stationId, store, admit: admission.admit, tracker, memory, limits, onTaken, notePath, log };
    return { ...common, ...openFolderSource(source, parts) };
  };

  const close = async (stationId: string): Promise<void> => {
    const source = running.get(stationId);
    running.delete(stationId);
    await source?.stop();
    await store.releaseLease(stationId, holder);
  };

  /** Opens and closes what the stations' settings ask for. */
  const reconcile = async (): Promise<void> => {
    const wanted = new Map<string, { station: StationRow; source: OwnSource }>();
    for (const station of await stations.listRows()) {
      const source = parseSource(station);
      if (station.enabled === 1 && source.kind !== 'http') wanted.set(station.station_id, { station, source });
    }
    for (const [stationId, { settings }] of [...running]) {
      if (wanted.get(stationId)?.station.source !== settings) await close(stationId);
    }
    for (const [stationId, { station, source }] of wanted) {
      const current = running.get(stationId);
      // Every server takes images by FTP.
      const isShared = source.kind === 'ftp';
      const state = JSON.stringify(current?.tracker.current() ?? {});
      const isOurs = isShared || (await store.holdLease(stationId, holder, state));
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
    if (input.kind === 'camera' && input.url === undefined)
      problems.push({ key: 'source.url', errors: [say('field.required')] });
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

  /** Why the camera gives no image now; undefined: it gave one. A camera that is served already is not opened twice. */
  const tryCamera = async (url: string, input: CameraInput, stationId = ''): Promise<Message | undefined> => {
    const ours = running.get(stationId);
    const served = ours && parseSource({ source: ours.settings });
    if (!ours?.camera || served?.kind !== 'camera' || served.url !== url) return tryCapture(input);
    return ours.camera.latest() ? undefined : (ours.tracker.current().fault ?? say('camera.late'));
  };

  /** @throws AppError where nothing answers at the address of the camera, or for a test, where no image comes. */
  const checkCameraSource = async (input: SourceInput, stationId?: string, isTest = false): Promise<CameraSource> => {
    const { url: sent = '', trigger = 'request' } = input;
    const station = (await stations.listRows()).find(({ station_id: id }) => id === stationId);
    const stored = station && parseSource(station);
    const earlier = stored?.kind === 'camera' ? stored.url : '';
    const url = restorePassword(sent, earlier);
    const parsed = parseCameraUrl(url);
    if ('problem' in parsed) throw refuse('source.url', parsed.problem);
    // Other settings can be changed while the camera is off.
    const isKnown = !isTest && url === earlier;
    const unreachable = isKnown ? undefined : await findCameraProblem(url);
    const problem = unreachable ?? (isTest ? await tryCamera(url, parsed, stationId) : undefined);
    if (problem) throw refuse('source.url', problem);
    return { kind: 'camera', url, trigger };
  };

  /** The camera of a station, which this server serves. @throws AppError `station-not-ready` */
  const requireCamera = (station: StationRow) => {
    const { name, station_id: stationId } = station;
    const source = parseSource(station);
    const refuseNow = (reason: Message) => new AppError('station-not-ready', { name, reason });
    if (source.kind !== 'camera') throw refuseNow(say('camera.none'));
    if (station.enabled === 0) throw refuseNow(say('station.disabled'));
    const ours = running.get(stationId);
    if (!ours?.camera) throw refuseNow(say('camera.elsewhere'));
    const { camera, tracker } = ours;
    return { camera, refusal: () => refuseNow(tracker.current().fault ?? say('camera.late')) };
  };

  return {
    /** An image that the station's camera takes after this moment. @throws AppError `station-not-ready` */
    async takeImage(station: StationRow): Promise<CameraImage> {
      const { camera, refusal } = requireCamera(station);
      if (camera.latest() === undefined) throw refusal();
      const image = await camera.take();
      if (!image) throw refusal();
      countTaken(station.station_id);
      return image;
    },

    /** A function that takes and stores an image for an arrival; undefined where the station has no camera. */
    pictureOf(station: StationRow): ((arrival: Arrival) => Promise<string>) | undefined {
      if (parseSource(station).kind !== 'camera') return undefined;
      return async (arrival) => {
        const { camera, refusal } = requireCamera(station);
        const image = camera.latest() && (await camera.take());
        if (!image) throw refusal();
        const { station_id: stationId } = station;
        countTaken(stationId);
        return admission.admit({ stationId, path: image.name, bytes: image.bytes, record: async () => {} }, arrival);
      };
    },

    /** The newest image of the station's camera, which is not stored. @throws AppError `station-not-ready` */
    previewImage(station: StationRow): Buffer {
      const { camera, refusal } = requireCamera(station);
      const image = camera.latest();
      if (!image) throw refusal();
      return image;
    },

    /** The source as people see it: a password in an address is hidden. */
    show(station: StationRow): SourceSettings {
      const source = parseSource(station);
      return source.kind === 'camera' ? { ...source, url: hidePassword(source.url) } : source;
    },

    /**
     * The settings as they are stored. @param isTest a camera must give an image now
     * @throws AppError naming the first field that cannot be used
     */
    async check(input: SourceInput, stationId?: string, isTest = false): Promise<SourceSettings> {
      requireFields(input);
      if (input.kind === 'http') return { kind: 'http' };
      if (input.kind === 'ftp') {
        if (!ftp.isOn) throw refuse('source.kind', say('ftp.off'));
        return { kind: 'ftp' };
      }
      if (input.kind === 'camera') return checkCameraSource(input, stationId, isTest);
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

    /** A login for a station whose source is FTP and which has none; undefined for any other. */
    async makeLogin(station: StationRow): Promise<FtpLogin | undefined> {
      if (parseSource(station).kind !== 'ftp' || (await ftp.hasLogin(station.station_id))) return undefined;
      return ftp.renewLogin(station.station_id);
    },

    /** @throws AppError where the source of the station is not FTP. */
    async renewLogin(station: StationRow): Promise<FtpLogin> {
      if (parseSource(station).kind !== 'ftp') throw refuse('source.kind', say('ftp.other-source'));
      return ftp.renewLogin(station.station_id);
    },

    ftpPort: ftp.port,

    /** @throws ConfigError where FTP cannot be served. */
    async start(): Promise<void> {
      await reconcile();
      await ftp.start();
      stopped = false;
      looping = loop();
    },

    async stop(): Promise<void> {
      stopped = true;
      wake();
      await looping;
      await ftp.stop();
      await Promise.all([...running.keys()].map(close));
    },
  };
}

export const parseSource = ({ source }: Pick<StationRow, 'source'>): SourceSettings =>
  JSON.parse(source) as SourceSettings;
