import { uuidv7 } from 'uuidv7';
import { runAs } from '../../caller.ts';
import { AppError, type FieldProblem, fieldError, fieldErrors } from '../../errors.ts';
import { type Message, readMessages, say, statusView, storeMessages } from '../../messages/message.ts';
import { nameOfStatus } from '../../messages/value-names.ts';
import type { Db, ModelRow, StationRow, Trx } from '../../storage/database.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { createItemView } from '../items/item-view.ts';
import type { ItemOrigin } from '../items/items.schemas.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { UploadedItem } from '../items/upload.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { SourceState } from '../sources/source-state.ts';
import type { TargetsService } from '../targets/targets.service.ts';
import type { Arrival } from './arrival.ts';
import { checkOutputs, type OutputChecks, parseOutputs } from './check-outputs.ts';
import { findPatternProblem, readName } from './name-pattern.ts';
import type { StationStore } from './station.store.ts';
import type {
  NewStationInput,
  StationChangesInput,
  StationTestAnswer,
  StationTestInput,
  StationView,
} from './stations.schemas.ts';

/** What the sources of stations offer to this service. */
interface StationSources {
  /**
   * The settings as they are stored. @param isTest a camera must give an image now
   * @throws AppError naming the first field that cannot be used
   */
  check(input: NonNullable<StationChangesInput['source']>, stationId?: string, isTest?: boolean): Promise<object>;
  /** Undefined where the station has no source of its own, or is switched off. */
  stateOf(station: StationRow): Promise<SourceState | undefined>;
  /** The source as people see it. */
  show(station: StationRow): StationView['source'];
  settingsChanged(): void;
  /** A login for a station whose source is FTP and which has none; undefined for any other. */
  makeLogin(station: StationRow): Promise<{ user: string; password: string } | undefined>;
}

export type StationsService = ReturnType<typeof createStationsService>;

const mostFields = 16;

export function createStationsService(dependencies: {
  db: Db;
  audit: AuditService;
  store: StationStore;
  items: ItemsService;
  models: ModelsService;
  targets: TargetsService;
  view: ReturnType<typeof createItemView>;
  /** @throws AppError where there is no such rule of retention. */
  checkRetention(retentionId: string): Promise<void>;
  /** Why no image can be stored; undefined: there is room. */
  findStorageFault(): Promise<Message | undefined>;
  /** Opens the model in every compute process. */
  warm(model: ModelRow): Promise<void>;
  sources: StationSources;
  /** A function that takes an image for an arrival, where the source of the station can do that. */
  pictureOf(station: StationRow): ((arrival: Arrival) => Promise<string>) | undefined;
  outputs: OutputChecks & {
    /** Why verdicts do not get out of the station; undefined: they do. */
    findFault(station: StationRow): Message | undefined;
    settingsChanged(): Promise<void>;
  };
}) {
  const { db, audit, store, items, models, targets, sources } = dependencies;

  const requireStation = async (stationId: string): Promise<StationRow> => {
    const station = await store.findStation(stationId);
    if (!station) throw new AppError('station-not-found', { id: stationId });
    return station;
  };

  /** The model that inspects at the station, or why it takes no images. */
  const findOpen = async (
    { enabled, model_id: modelId }: StationRow,
    find: (modelId: string) => Promise<ModelRow | undefined> = models.findModel,
  ): Promise<{ model: ModelRow } | { obstacle: Message }> => {
    if (enabled === 0) return { obstacle: say('station.disabled') };
    if (modelId === null) return { obstacle: say('station.no-model') };
    const model = await find(modelId);
    if (!model) return { obstacle: say('station.model-deleted', { model: modelId }) };
    if (model.status === 'ready') return { model };
    return { obstacle: say('model.status', { status: nameOfStatus(model.status) }) };
  };

  const requireOpen = async (station: StationRow, find?: Parameters<typeof findOpen>[1]): Promise<ModelRow> => {
    const found = await findOpen(station, find);
    if ('model' in found) return found.model;
    throw new AppError('station-not-ready', { name: station.name, reason: found.obstacle });
  };

  const findObstacle = async (station: StationRow): Promise<Message | undefined> => {
    const found = await findOpen(station);
    return 'obstacle' in found ? found.obstacle : undefined;
  };

  /** Why an image that comes now is not inspected; undefined: it is. */
  const findHindrance = async (station: StationRow): Promise<Message | undefined> =>
    (await findObstacle(station)) ?? (await sources.stateOf(station))?.fault ?? (await dependencies.findStorageFault());

  /** @throws AppError `invalid-request` where the model cannot inspect. */
  const requireReady = async (modelId: string, trx?: Trx): Promise<ModelRow> => {
    const model = await models.findModel(modelId, trx);
    if (model?.status === 'ready') return model;
    const problem = model ? say('model.status', { status: nameOfStatus(model.status) }) : say('model.missing');
    throw fieldError('invalid-request', 'model_id', problem);
  };

  /** @param isTest outputs that have not changed are tried too. @throws AppError naming the first bad setting. */
  const checkSettings = async (input: StationChangesInput, stationId?: string, isTest = false): Promise<void> => {
    const { name, target_id: targetId, name_pattern: pattern } = input;
    const rows = await store.listStations();
    const others = rows.filter((station) => station.station_id !== stationId);
    if (name !== undefined) {
      if (others.some((station) => station.name === name.trim()))
        throw fieldError('invalid-request', 'name', say('station.name-taken', { name: name.trim() }));
    }
    if (targetId !== undefined) {
      const known = (await targets.listTargets()).some((target) => target.target_id === targetId);
      if (!known) throw fieldError('invalid-request', 'target_id', say('station.no-target', { id: targetId }));
    }
    if (input.retention_id) await dependencies.checkRetention(input.retention_id);
    const problem = pattern ? findPatternProblem(pattern) : undefined;
    if (problem) throw fieldError('invalid-request', 'name_pattern', problem);
    const current = rows.find((station) => station.station_id === stationId);
    const before = current ? parseOutputs(current) : [];
    const context = {
      name: name?.trim() ?? current?.name ?? '',
      before: isTest ? [] : before,
      others,
      folder: folderOf(input.source ?? (JSON.parse(current?.source ?? '{}') as { kind?: string; path?: string })),
      checks: dependencies.outputs,
    };
    await checkOutputs(input.outputs ?? before, context);
  };

  /** How the station stands at this moment. */
  const readState = async (station: StationRow) => {
    const [hindrance, source, waiting, last] = await Promise.all([
      findHindrance(station),
      sources.stateOf(station),
      items.countWaitingAt(station.station_id),
      items.findLastInspectedAt(station.station_id),
    ]);
    const failure =
      last?.item.status === 'failed'
        ? say('station.last-failed', { reason: readMessages(last.item.status_text) })
        : undefined;
    // A station that is switched off has no fault.
    const sending = dependencies.outputs.findFault(station);
    const fault = station.enabled === 1 ? (hindrance ?? sending ?? failure) : undefined;
    return { ready: hindrance === undefined, source, waiting, last, fault };
  };

  const viewOf = async (station: StationRow): Promise<StationView> => {
    const { ready, source, waiting, last, fault } = await readState(station);
    return {
      station_id: station.station_id,
      name: station.name,
      enabled: station.enabled === 1,
      target_id: station.target_id,
      model_id: station.model_id,
      source: sources.show(station),
      name_pattern: station.name_pattern,
      outputs: JSON.parse(station.outputs),
      retention_id: station.retention_id,
      created_at: station.created_at,
      updated_at: station.updated_at,
      state: {
        ready,
        waiting,
        last_item: last ? dependencies.view(last, { assessments: true, annotations: true }) : null,
        fault: fault ? faultView(fault) : null,
        source: source ? sourceView(source) : null,
      },
    };
  };

  /** @throws AppError `station-no-trigger` where images of its source come by themselves. */
  const requireTrigger = (station: StationRow) => {
    const takePicture = dependencies.pictureOf(station);
    if (takePicture) return takePicture;
    const { kind } = JSON.parse(station.source) as { kind: string };
    throw new AppError('station-no-trigger', { name: station.name, kind });
  };

  const settingsChanged = async (): Promise<void> => {
    sources.settingsChanged();
    await dependencies.outputs.settingsChanged();
  };

  /** The station after a change, which its outputs know of; with its login for FTP, where that was made just now. */
  const changed = async (stationId: string): Promise<StationView> => {
    await settingsChanged();
    const station = await requireStation(stationId);
    const login = await sources.makeLogin(station);
    return { ...(await viewOf(station)), ...(login ? { ftp_login: login } : {}) };
  };

  return {
    requireStation,
    findHindrance,
    findStation: store.findStation,
    lockStation: store.lockStation,
    readState,

    /** The station that a form names. */
    async findNamed(stationId: string): Promise<StationRow> {
      const station = await store.findStation(stationId);
      if (station) return station;
      throw fieldError('invalid-request', 'station_id', say('station.missing'));
    },

    /** The station with the model that inspects there. @throws AppError `station-not-ready` where it takes no images. */
    async openStation(stationId: string): Promise<{ station: StationRow; model: ModelRow }> {
      const station = await requireStation(stationId);
      return { station, model: await requireOpen(station) };
    },

    listRows: store.listStations,
    listStations: async (): Promise<StationView[]> => Promise.all((await store.listStations()).map(viewOf)),
    getStation: async (stationId: string): Promise<StationView> => viewOf(await requireStation(stationId)),

    async createStation(input: NewStationInput): Promise<StationView> {
      await checkSettings(input);
      const source = input.source ? await sources.check(input.source) : { kind: 'http' };
      const { model_id: modelId = null, name_pattern: pattern = null } = input;
      if (modelId !== null) await dependencies.warm(await requireReady(modelId));
      const now = new Date().toISOString();
      const station: StationRow = {
        station_id: uuidv7(),
        name: input.name.trim(),
        enabled: input.enabled === false ? 0 : 1,
        target_id: input.target_id ?? (await targets.getTrainingSteps()).targetId,
        model_id: modelId,
        source: JSON.stringify(source),
        name_pattern: pattern,
        outputs: JSON.stringify(input.outputs ?? []),
        retention_id: input.retention_id ?? null,
        created_at: now,
        updated_at: now,
      };
      await db.transaction().execute(async (trx) => {
        await store.insertStation(station, trx);
        const details = { name: station.name, model: modelId };
        await audit.record(trx, 'station.add', [{ id: station.station_id, details }]);
      });
      return changed(station.station_id);
    },

    /** Tries what the settings name. @throws AppError naming each field of source and outputs that does not work. */
    async testSettings({ station_id: stationId, file_name, ...input }: StationTestInput): Promise<StationTestAnswer> {
      if (stationId !== undefined) await requireStation(stationId);
      const problems: FieldProblem[] = [];
      const attempt = async (check: () => Promise<unknown>): Promise<void> => {
        try {
          await check();
        } catch (error) {
          if (!(error instanceof AppError) || error.problems.length === 0) throw error;
          problems.push(...error.problems);
        }
      };
      const { source, outputs = [], name_pattern: pattern } = input;
      await attempt(() => checkSettings(input, stationId, true));
      if (source) await attempt(() => sources.check(source, stationId, true));
      if (problems.length > 0) throw fieldErrors('invalid-request', problems);
      const read = pattern && file_name ? readName(pattern, file_name) : undefined;
      return {
        tested: [
          ...(source ? [{ key: 'source', kind: source.kind }] : []),
          ...outputs.map(({ kind }, index) => ({ key: `outputs.${index}`, kind })),
        ],
        read: read ? { serial: read.serial ?? null, lot: read.lot ?? null, fields: read.fields ?? {} } : null,
      };
    },

    /** Settings that are not sent stay as they are. */
    async updateStation(stationId: string, input: StationChangesInput): Promise<StationView> {
      const before = await requireStation(stationId);
      await checkSettings(input, stationId);
      const source = input.source && (await sources.check(input.source, stationId));
      const { name, enabled, target_id: targetId, name_pattern: pattern, outputs } = input;
      const changes = {
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
        ...(targetId === undefined ? {} : { target_id: targetId }),
        ...(pattern === undefined ? {} : { name_pattern: pattern }),
        ...(source === undefined ? {} : { source: JSON.stringify(source) }),
        ...(outputs === undefined ? {} : { outputs: JSON.stringify(outputs) }),
        ...(input.retention_id === undefined ? {} : { retention_id: input.retention_id }),
      };
      await db.transaction().execute(async (trx) => {
        await store.updateStation(stationId, changes, trx);
        // Their values may hold the password of a camera.
        const details = { name: name ?? before.name, changed: Object.keys(changes) };
        await audit.record(trx, 'station.change', [{ id: stationId, details }]);
      });
      return changed(stationId);
    },

    /**
     * The change-over. The new model is open before an image can go to it. Every image that is stored before the commit
     * goes to the old model, every later one to the new: each reads the model in the transaction that stores it.
     */
    async setModel(stationId: string, modelId: string | null): Promise<StationView> {
      const { name, model_id: before } = await requireStation(stationId);
      if (modelId !== null) await dependencies.warm(await requireReady(modelId));
      await db.transaction().execute(async (trx) => {
        // It may have been deleted while it was opened.
        if (modelId !== null) await requireReady(modelId, trx);
        await store.updateStation(stationId, { model_id: modelId }, trx);
        // Controllers repeat their commands.
        if (before !== modelId)
          await audit.record(trx, 'station.model', [{ id: stationId, details: { name, before, after: modelId } }]);
      });
      return changed(stationId);
    },

    /** The change-over by MQTT or Modbus. In the audit trail, the station did it. */
    async setModelByController(stationId: string, modelId: string): Promise<void> {
      const { name } = await requireStation(stationId);
      const caller = { kind: 'station', id: stationId, name, role: 'engineer' } as const;
      await runAs(caller, () => this.setModel(stationId, modelId));
    },

    /** Its items stay, and still name it. */
    async deleteStation(stationId: string): Promise<string> {
      const known = await store.findStation(stationId);
      await db.transaction().execute(async (trx) => {
        if (!(await store.deleteStation(stationId, trx))) throw new AppError('station-not-found', { id: stationId });
        await audit.record(trx, 'station.delete', [{ id: stationId, details: { name: known?.name } }]);
      });
      await settingsChanged();
      return stationId;
    },

    /** Whether its source makes an image when it is asked to. */
    takesPictures: (station: StationRow): boolean => dependencies.pictureOf(station) !== undefined,

    /**
     * Asks its source for an image. @returns the id of the item.
     * @throws AppError `station-no-trigger` where images of its source come by themselves.
     */
    async trigger(stationId: string, arrival: Arrival): Promise<string> {
      return requireTrigger(await requireStation(stationId))(arrival);
    },
    requireTrigger,

    /** The model for images that are stored in this transaction, which locks the station. @throws AppError where the station takes none. */
    async chooseModel(trx: Trx, stationId: string): Promise<{ station: StationRow; model: ModelRow }> {
      const station = await store.lockStation(trx, stationId);
      if (!station) throw new AppError('station-not-found', { id: stationId });
      return { station, model: await requireOpen(station, (modelId) => models.holdModel(trx, modelId)) };
    },

    /**
     * What an item of the station is of: as given, and else as the name of its file says.
     * @throws AppError where name and sender together give more fields than an item has.
     */
    originOf(station: StationRow, given: ItemOrigin, { fileName }: Pick<UploadedItem, 'fileName'>): ItemOrigin {
      const read: ItemOrigin = station.name_pattern === null ? {} : readName(station.name_pattern, fileName);
      const fields = { ...read.fields, ...given.fields };
      if (Object.keys(fields).length > mostFields)
        throw fieldError('invalid-request', 'fields', say('field.max-items', { limit: mostFields }));
      return { ...read, ...given, station_id: station.station_id, target_id: station.target_id, fields };
    },
  };
}

const folderOf = ({ kind, path }: { kind?: string; path?: string }): string | undefined =>
  kind === 'folder' ? path : undefined;

function sourceView({ fault, since, waiting, unreadable }: SourceState): StationView['state']['source'] {
  return {
    ready: fault === undefined,
    since,
    waiting,
    fault: fault ? faultView(fault) : null,
    unreadable: unreadable.map((file) => ({ name: file.name, since: file.since, ...faultView(file.problem) })),
  };
}

function faultView(fault: Message) {
  const { status_text: text, status_messages } = statusView(storeMessages([fault]));
  return { status_text: text ?? '', status_messages };
}
