import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConfigError } from '../../config.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { type ModbusServer, openModbusServer } from '../../line/modbus-server.ts';
import type { SignalVerdict } from '../../line/station-signals.ts';
import type { StationRow } from '../../storage/database.ts';
import type { InspectionService } from '../inspection/inspection.service.ts';
import type { ItemOrigin } from '../items/items.schemas.ts';
import type { LabelsService } from '../labels/labels.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import { type Arrival, unwatchedArrival } from '../stations/arrival.ts';
import { parseOutputs } from '../stations/check-outputs.ts';
import type { StationsService } from '../stations/stations.service.ts';
import { createStationUnit, heartbeatMs, type StationUnit } from './station-unit.ts';

export type OutputsService = ReturnType<typeof createOutputsService>;

/** Where the database does not answer for so long, controllers are told of a fault. */
const longestSilenceMs = 2000;

/** Tells the controllers of all stations what their inspections find. */
export function createOutputsService(dependencies: {
  stations: StationsService;
  inspections: InspectionService;
  models: ModelsService;
  labels: LabelsService;
  queue: JobQueue;
  queueLimit: number;
  modbus: { host: string; port: number } | undefined;
  log: Logger;
}) {
  const { stations, inspections, models, labels, queue, modbus, log } = dependencies;
  /** By station. */
  const units = new Map<string, StationUnit>();
  let byNumber = new Map<number, StationUnit>();
  let server: ModbusServer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let refreshing: Promise<void> | undefined;

  const judge = async (itemId: string, given: ItemOrigin, deadline: number): Promise<SignalVerdict | undefined> => {
    const details = await inspections.awaitEnd(itemId, deadline);
    const verdict = details?.assessments[0]?.row;
    if (!verdict || details.item.status !== 'done') return undefined;
    if (given.serial !== undefined && details.item.serial !== given.serial) return undefined;
    const [model, known] = await Promise.all([models.findModel(verdict.model_id), labels.listLabels()]);
    if (!model) return undefined;
    return {
      result: verdict.result,
      score: Number(verdict.anomaly_score),
      regions: verdict.detected_objects,
      label: known.find(({ name }) => name === verdict.label)?.label ?? 0,
      modelVersion: model.version,
      milliseconds: 0,
    };
  };

  const openUnit = (stationId: string, first: Parameters<typeof createStationUnit>[0]): StationUnit =>
    createStationUnit(first, {
      judge,
      takePicture: async (arrival) => void (await stations.trigger(stationId, arrival)),
      setModel: (modelId) => stations.setModelByController(stationId, modelId),
    });

  const refreshUnit = async (station: StationRow, isQueueFull: boolean): Promise<number | undefined> => {
    const { station_id: stationId, model_id: modelId } = station;
    const settings = parseOutputs(station).find(({ kind }) => kind === 'modbus');
    if (settings?.unit === undefined) return undefined;
    const hasFault = isQueueFull || (await stations.findHindrance(station)) !== undefined;
    const state = { settings, modelId, hasFault, takesPictures: stations.takesPictures(station) };
    const unit = units.get(stationId) ?? openUnit(stationId, state);
    units.set(stationId, unit);
    unit.update(state);
    return settings.unit;
  };

  const readStations = async (): Promise<void> => {
    const rows = await stations.listRows();
    const isQueueFull = (await queue.counts()).predict.waiting >= dependencies.queueLimit;
    const numbers = new Map<number, StationUnit>();
    for (const row of rows) {
      const number = await refreshUnit(row, isQueueFull);
      const unit = units.get(row.station_id);
      if (number !== undefined && unit) numbers.set(number, unit);
    }
    for (const [stationId, unit] of units) {
      if ([...numbers.values()].includes(unit)) continue;
      unit.stop();
      units.delete(stationId);
    }
    byNumber = numbers;
  };

  const failAll = (): void => {
    for (const unit of units.values()) unit.fail();
  };

  const refresh = (): Promise<void> => {
    // A database that does not answer ends no call.
    const silence = pause(longestSilenceMs, undefined, { ref: false }).then(() => {
      throw new Error('The database does not answer.');
    });
    refreshing ??= Promise.race([readStations(), silence])
      .catch((err) => {
        failAll();
        log.warn({ err }, 'the stations could not be read for their controllers');
      })
      .finally(() => {
        refreshing = undefined;
      });
    silence.catch(() => {});
    return refreshing;
  };

  return {
    /** Call it first of all when an image comes to a station: what was signalled before is taken back. */
    begin: (stationId: string): Arrival => units.get(stationId)?.begin() ?? unwatchedArrival,

    /** Call it when settings of a station were changed. */
    async settingsChanged(): Promise<void> {
      await refreshing;
      if (timer) await refresh();
    },

    /** Call it where a compute process has died. */
    workerLost(): void {
      for (const unit of units.values()) unit.lose();
    },

    status: (): 'off' | 'listening' => (server ? 'listening' : 'off'),
    connections: (): number => server?.connections() ?? 0,

    /** @throws ConfigError where the port is taken. */
    async start(): Promise<void> {
      if (!modbus) return;
      try {
        server = await openModbusServer({ ...modbus, unitOf: (number) => byNumber.get(number)?.unit });
      } catch (error) {
        throw new ConfigError(
          `Kensa cannot serve Modbus at port ${modbus.port} of ${modbus.host}: ${(error as Error).message}. ` +
            'End what else listens there, or set KENSA_MODBUS_PORT and KENSA_MODBUS_HOST.',
          { cause: error },
        );
      }
      timer = setInterval(() => void refresh(), heartbeatMs);
      timer.unref();
      await refresh();
    },

    /** Takes back what was signalled, then drops the connections. */
    async stop(): Promise<void> {
      clearInterval(timer);
      timer = undefined;
      for (const unit of units.values()) unit.stop();
      await server?.close();
    },
  };
}
