import { uuidv7 } from 'uuidv7';
import { AppError, fieldError } from '../../errors.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { type Language, type Message, readMessages, render, renderAll, say } from '../../messages/message.ts';
import type { ModelRow, StationRow, Trx } from '../../storage/database.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { createItemView } from '../items/item-view.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import { parseOutputs } from '../stations/check-outputs.ts';
import { type CallbackNetworks, parseCallbackUrl } from './callback-address.ts';
import { buildCall, callbackSecret, sampleItem } from './callback-payload.ts';

import { createDeliverHandler, type DeliverySnapshot, deliverJob, stationKey } from './deliver-handler.ts';
import type { DeliveryStore } from './delivery.store.ts';
import { createHostSlots } from './host-slots.ts';
import type { CallbackSender } from './send-callback.ts';

export type CallbacksService = ReturnType<typeof createCallbacksService>;

const callsPerHost = 4;
const keepSettledMs = 7 * 86_400_000;
/** Modbus shows the state of the moment. */
const hasOutbox = (kind: string): boolean => kind !== 'modbus';

export function createCallbacksService(dependencies: {
  store: DeliveryStore;
  items: ItemsService;
  models: ModelsService;
  queue: JobQueue;
  sender: CallbackSender;
  view: ReturnType<typeof createItemView>;
  masterKey: Uint8Array;
  networks: CallbackNetworks;
  findStation(stationId: string): Promise<StationRow | undefined>;
  lockStation(trx: Trx, stationId: string): Promise<StationRow | undefined>;
}) {
  const { store, items, models, queue } = dependencies;
  const findDetails = async (trx: Trx, itemId: string, modelId: string): Promise<ItemDetails | undefined> =>
    (await items.findDetails([itemId], modelId, trx))[0];
  const outputsOf = (station: StationRow) => parseOutputs(station).filter(({ kind }) => hasOutbox(kind));

  /** Puts a delivery into the outbox. */
  const addDelivery = async (
    trx: Trx,
    snapshot: DeliverySnapshot,
    to: { model_id: string; station_id?: string; output?: string },
  ): Promise<string> => {
    const deliveryId = uuidv7();
    await store.insertDelivery(trx, {
      ...to,
      delivery_id: deliveryId,
      item_id: snapshot.item.item_id,
      status: 'pending',
      attempts: 0,
      snapshot: JSON.stringify(snapshot),
      created_at: new Date().toISOString(),
    });
    return deliveryId;
  };

  const addCallback = async (trx: Trx, model: ModelRow, details: ItemDetails): Promise<void> => {
    if (model.callback_url === null) return;
    const snapshot = { ...details, callback_url: model.callback_url };
    await queue.enqueue(trx, deliverJob(await addDelivery(trx, snapshot, { model_id: model.model_id })));
  };

  /** Once for each output of the station that has an outbox. */
  const addResults = async (
    trx: Trx,
    station: StationRow,
    details: ItemDetails,
    model: ModelRow | undefined,
  ): Promise<void> => {
    for (const { kind, url } of outputsOf(station)) {
      const snapshot = {
        ...details,
        ...(url === undefined ? {} : { callback_url: url }),
        station: { name: station.name, model_version: model?.version ?? null },
      };
      // Not in the list of the model's callbacks, and not deleted with it.
      const to = { model_id: '', station_id: station.station_id, output: kind };
      const deliveryId = await addDelivery(trx, snapshot, to);
      if (kind === 'webhook') await queue.enqueue(trx, deliverJob(deliveryId));
    }
  };

  const secretOf = (modelId: string): string => callbackSecret(dependencies.masterKey, modelId);

  return {
    /** @throws AppError `invalid-parameters` where the URL can never be called. */
    async setCallback(modelId: string, input: { callback_url?: string; callback_method?: 'post' | 'get' }) {
      const model = await models.requireModel(modelId);
      const given = input.callback_url?.trim() ?? model.callback_url ?? '';
      const url = given === '' ? null : parseCallbackUrl(given, dependencies.networks).href;
      const method = input.callback_method ?? model.callback_method ?? 'post';
      const changes = { callback_url: url, callback_method: method };
      await models.setCallback(model.model_id, changes);
      return { callback_url: url ?? '', callback_method: method };
    },

    async getOverview(modelId: string, page: number, count: number, language: Language) {
      const model = await models.requireModel(modelId);
      const deliveries = await store.listDeliveries(model.model_id, page, count);
      return {
        callback_url: model.callback_url ?? '',
        callback_method: model.callback_method ?? 'post',
        secret: secretOf(model.model_id),
        ...(await store.countDeliveries(model.model_id)),
        deliveries: deliveries.map(({ model_id: _, last_error: error, ...shown }) => ({
          ...shown,
          last_error: error === null ? null : renderAll(readMessages(error), language),
        })),
      };
    },

    /** Calls the receiver now with a made-up item, and reports the outcome. */
    async testCallback(modelId: string, language: Language) {
      const { model_id: id, callback_url: url, callback_method: method } = await models.requireModel(modelId);
      if (url === null) throw fieldError('invalid-request', 'callback_url', say('callback.not-set'));
      const now = Date.now();
      const target = { url, method: method ?? 'post', secret: secretOf(id) } as const;
      const message = { id: `msg_${uuidv7()}`, timestamp: Math.floor(now / 1000) };
      const item = sampleItem(id, new Date(now).toISOString());
      const { durationMs, error, ...outcome } = await dependencies.sender.send(buildCall(target, item, message));
      return { ...outcome, error: error && render(error, language), duration_ms: durationMs };
    },

    /** Puts the verdict into the outbox, within the transaction that stores it. */
    async onAssessed(trx: Trx, model: ModelRow, itemId: string): Promise<void> {
      if (model.callback_url === null) return;
      const details = await findDetails(trx, itemId, model.model_id);
      if (details) await addCallback(trx, model, details);
    },

    /** Puts the end of a station's inspection into the outbox, within the transaction that stores it. */
    async onInspected(trx: Trx, end: { stationId: string; itemId: string; modelId: string }): Promise<void> {
      // Held, so that the results of a station have the order of their commits.
      const station = await dependencies.lockStation(trx, end.stationId);
      if (!station || outputsOf(station).length === 0) return;
      const details = await findDetails(trx, end.itemId, end.modelId);
      if (details) await addResults(trx, station, details, await models.findModel(end.modelId, trx));
    },

    /** Both, for an item with its verdict. The station is locked. */
    async onVerdict(trx: Trx, item: ItemDetails, { model, station }: { model: ModelRow; station?: StationRow }) {
      if (station) await addResults(trx, station, item, model);
      await addCallback(trx, model, item);
    },

    /** What is wrong with the URL of a receiver, which is connected to and not called. */
    async findUrlProblem(text: string): Promise<Message | undefined> {
      try {
        return await dependencies.sender.tryConnection(parseCallbackUrl(text, dependencies.networks));
      } catch (error) {
        if (error instanceof AppError) return error.problems[0]?.errors[0] ?? error.detail;
        throw error;
      }
    },

    /** Deliveries of this kind of output that nobody has sent yet, in the order of their verdicts. */
    async listWaiting(output: string, limit: number, except: readonly string[] = []) {
      const deliveries = await store.listWaiting(output, limit, except);
      const known = new Map<string, StationRow | undefined>();
      for (const { station_id: id } of deliveries)
        if (id !== null && !known.has(id)) known.set(id, await dependencies.findStation(id));
      return deliveries.map(({ delivery_id: deliveryId, station_id: stationId, snapshot }) => ({
        deliveryId,
        snapshot: JSON.parse(snapshot) as DeliverySnapshot,
        /** Undefined where it was deleted. */
        station: known.get(stationId ?? ''),
      }));
    },
    countWaiting: store.countWaiting,
    markDelivered: store.markDelivered,

    /** The deliveries of a station, newest first, and the key that its calls are signed with. */
    async getStationDeliveries(stationId: string, page: number, count: number, language: Language) {
      if (!(await dependencies.findStation(stationId))) throw new AppError('station-not-found', { id: stationId });
      const deliveries = await store.listStationDeliveries(stationId, page, count);
      return {
        secret: secretOf(stationKey(stationId)),
        ...(await store.countStationDeliveries(stationId)),
        deliveries: deliveries.map(({ last_error: error, ...shown }) => ({
          ...shown,
          output: shown.output ?? '',
          last_error: error === null ? null : renderAll(readMessages(error), language),
        })),
      };
    },

    prune: (now: number) => store.pruneDeliveries(new Date(now - keepSettledMs).toISOString()),
    handler: createDeliverHandler({ ...dependencies, secretOf, slots: createHostSlots({ perHost: callsPerHost }) }),
  };
}
