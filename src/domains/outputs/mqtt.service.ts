import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import { type BrokerCommand, type BrokerSettings, type MqttBroker, openMqttBroker } from '../../line/mqtt-broker.ts';
import { type Message, render, say } from '../../messages/message.ts';
import type { ModelRow } from '../../storage/database.ts';
import type { CallbacksService } from '../callbacks/callbacks.service.ts';
import type { InspectAtStation } from '../inspection/inspect-at-station.ts';
import type { InspectionService } from '../inspection/inspection.service.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { PredictionService } from '../prediction/prediction.service.ts';
import type { Arrival } from '../stations/arrival.ts';
import { parseOutputs, publishes } from '../stations/check-outputs.ts';
import type { StationsService } from '../stations/stations.service.ts';
import { readModelCommand, readTrigger } from './mqtt-commands.ts';
import { resultOf } from './station-result.ts';

export type MqttService = ReturnType<typeof createMqttService>;

const pollMs = 500;
const portion = 100;
/** Each may hold an image in memory. */
const mostCommands = 16;

/** Publishes states and results of stations at an MQTT broker, and carries out what comes from there. */
export function createMqttService(dependencies: {
  settings: BrokerSettings | undefined;
  stations: StationsService;
  models: ModelsService;
  items: ItemsService;
  predictions: PredictionService;
  callbacks: CallbacksService;
  inspections: InspectionService;
  inspectAt: InspectAtStation;
  begin(stationId: string): Arrival;
  log: Logger;
}) {
  const { settings, stations, models, items, predictions, callbacks, inspections, log } = dependencies;
  let broker: MqttBroker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  /** What the broker keeps, by topic. */
  const retained = new Map<string, string>();
  let commands = 0;
  let isAsked = false;
  let working: Promise<void> | undefined;

  const findProblem = (): Message | undefined => {
    const details = broker?.problem();
    return details === undefined || !settings ? undefined : say('mqtt.away', { host: hostOf(settings), details });
  };

  const publishStates = async (connected: MqttBroker): Promise<void> => {
    const topics = new Set<string>();
    for (const station of (await stations.listRows()).filter(publishes)) {
      const topic = `kensa/${station.name}/state`;
      topics.add(topic);
      const { ready, waiting, fault } = await stations.readState(station);
      const model = station.model_id === null ? undefined : await models.findModel(station.model_id);
      const state = {
        station_id: station.station_id,
        ready,
        model: model ? { model_id: model.model_id, name: model.name, version: model.version } : null,
        queue: waiting,
        source: (JSON.parse(station.source) as { kind: string }).kind,
        fault: fault ? render(fault, 'en') : null,
      };
      const text = JSON.stringify(state);
      if (retained.get(topic) === text) continue;
      connected.retain(topic, state);
      retained.set(topic, text);
    }
    for (const topic of [...retained.keys()].filter((known) => !topics.has(known))) {
      connected.retain(topic, undefined);
      retained.delete(topic);
    }
  };

  /** In the order of the verdicts. What the broker has is recorded before the next portion is read. */
  const publishResults = async (connected: MqttBroker): Promise<void> => {
    for (;;) {
      const waiting = await callbacks.listWaiting('mqtt', portion);
      const sent: string[] = [];
      try {
        for (const { deliveryId, snapshot, station } of waiting) {
          if (station && publishes(station))
            await connected.publish(`kensa/${station.name}/result`, resultOf(snapshot));
          sent.push(deliveryId);
        }
      } finally {
        await callbacks.markDelivered(sent);
      }
      if (waiting.length < portion) return;
    }
  };

  const work = async (): Promise<void> => {
    while (isAsked && broker && !stopped && broker.problem() === undefined) {
      isAsked = false;
      await publishResults(broker);
      await publishStates(broker);
    }
  };

  const wake = (): void => {
    isAsked = true;
    working ??= work()
      .catch((err) => {
        if (!stopped) log.warn({ err }, 'results could not be published by MQTT; trying again');
      })
      .finally(() => {
        working = undefined;
      });
  };

  const trigger = async (stationId: string, command: BrokerCommand): Promise<ItemDetails> => {
    const { image, origin, timeoutMs } = readTrigger(command);
    const deadline = performance.now() + timeoutMs;
    if (image) {
      const read = async (model: () => Promise<ModelRow>) => {
        const upload = items.beginUpload();
        await upload.addFile('image', image, async (bytes) => predictions.checkImage(bytes, await model()));
        const [item] = upload.finish(origin.serial ?? 'image', true);
        if (!item) throw new Error('An upload without files was not refused.');
        return { item, origin };
      };
      return dependencies.inspectAt(stationId, read, deadline);
    }
    const station = await stations.requireStation(stationId);
    stations.requireTrigger(station);
    const { given: _, ...arrival } = dependencies.begin(stationId);
    const itemId = await stations.trigger(stationId, { ...arrival, given: origin });
    const details = await inspections.awaitEnd(itemId, deadline);
    if (!details) throw new AppError('item-not-found', { ids: itemId });
    return details;
  };

  const carryOut = async (command: BrokerCommand): Promise<object> => {
    const station = (await stations.listRows()).find((known) => known.name === command.station && publishes(known));
    if (!station) throw new AppError('station-not-found', { id: command.station });
    if (command.action === 'trigger') {
      const details = await trigger(station.station_id, command);
      const model = await models.findModel(details.assessments[0]?.row.model_id ?? '');
      const { status } = details.item;
      // Its result comes by the topic of results.
      if (status !== 'done' && status !== 'failed') return { item_id: details.item.item_id, status };
      return resultOf({ ...details, station: { name: station.name, model_version: model?.version ?? null } });
    }
    const modelId = readModelCommand(command, parseOutputs(station));
    await stations.setModelByController(station.station_id, modelId);
    return { station_id: station.station_id, model_id: modelId };
  };

  const onCommand = async (command: BrokerCommand): Promise<void> => {
    commands++;
    try {
      if (commands > mostCommands) throw new AppError('overloaded');
      command.reply(await carryOut(command));
    } catch (error) {
      const known = error instanceof AppError ? error : undefined;
      const { station, action } = command;
      log.warn({ err: error, station, action }, 'an MQTT command was refused');
      command.reply({
        error: { code: known?.code ?? 'internal', detail: render(known?.detail ?? say('mqtt.failed'), 'en') },
      });
    } finally {
      commands--;
      wake();
    }
  };

  return {
    wake,
    /** Why a station cannot publish; undefined: it can. */
    findProblem: (): Message | undefined => (settings ? findProblem() : say('output.mqtt-off')),
    /** `off`: no broker is set. */
    status: (): 'off' | 'connected' | 'away' => {
      if (!settings) return 'off';
      return broker && broker.problem() === undefined ? 'connected' : 'away';
    },

    async start(): Promise<void> {
      if (!settings) return;
      const onConnect = (): void => {
        retained.clear();
        wake();
      };
      broker = await openMqttBroker(settings, { onConnect, onCommand: (command) => void onCommand(command), log });
      timer = setInterval(wake, pollMs);
      timer.unref();
    },

    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await broker?.close();
      await working;
    },
  };
}

const hostOf = ({ url }: BrokerSettings): string => new URL(url).host;
