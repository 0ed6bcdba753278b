import { currentCaller } from '../../caller.ts';
import { AppError, fieldError } from '../../errors.ts';
import { type Message, say, storeMessages } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Db, ItemImageRow, ItemRow, Trx } from '../../storage/database.ts';
import { listNames } from '../../vision/engine-messages.ts';
import type { AuditService } from '../audit/audit.service.ts';
import { createItemStore, type ItemDetails } from './item.store.ts';
import { conditionOf } from './item-conditions.store.ts';
import { createItemListStore, type ItemPage } from './item-list.store.ts';
import { createItemStatusStore } from './item-status.store.ts';
import type { ItemOrigin, ItemsQuery } from './items.schemas.ts';
import { beginUpload, type UploadedItem } from './upload.ts';

export interface NewItems {
  readonly training: boolean;
  /** Verdict of the uploader; training items without one are good. */
  readonly good: boolean | undefined;
  originOf(item: UploadedItem): ItemOrigin;
  /** Runs in the transaction that stores the items. */
  record?(trx: Trx, itemIds: readonly string[]): Promise<void>;
}

export interface NewItem {
  readonly itemId: string;
  readonly images: readonly ItemImageRow[];
}

/** The predictions of items that are stored. */
export interface NewPredictions {
  /**
   * Runs in the transaction that stores the items, before them: queues the predictions whose verdicts are not known.
   * @returns by item, what the others say beside their verdicts
   */
  begin(trx: Trx, items: readonly NewItem[]): Promise<ReadonlyMap<string, readonly Message[]>>;
  /** Runs in the same transaction, after the items are stored: stores the verdicts that are known. */
  storeVerdicts(trx: Trx, items: readonly ItemRow[]): Promise<void>;
  /** Call it once that transaction is committed. */
  committed(): void;
}

export interface DetailedPage extends Omit<ItemPage, 'items'> {
  readonly items: ItemDetails[];
  readonly endPage: number;
}

export type ItemsService = ReturnType<typeof createItemsService>;

export function createItemsService(dependencies: {
  db: Db;
  audit: AuditService;
  blobs: BlobStore;
  /** Called before an image is stored. @throws AppError where there is no room for it. */
  admit(): Promise<void>;
  /** Called in the transaction of a deletion. @throws AppError where an item must stay. */
  beforeDelete(trx: Trx, itemIds: readonly string[]): Promise<void>;
}) {
  const { db, audit, blobs, admit } = dependencies;
  const store = createItemStore(db);
  const lists = createItemListStore(db);
  const statuses = createItemStatusStore(db);

  const requireItems = async (itemIds: readonly string[], trx?: Trx): Promise<ItemRow[]> => {
    const items = await store.findItems(itemIds, trx);
    if (items.length === itemIds.length) return items;
    const found = new Set(items.map((item) => item.item_id));
    const missing = itemIds.filter((itemId) => !found.has(itemId));
    const problems = missing.slice(0, 50).map((key) => ({ key, errors: [say('item.missing')] }));
    throw new AppError('item-not-found', { ids: listNames(missing, 3) }, { problems });
  };

  return {
    beginUpload: () => beginUpload({ blobs, admit }),

    /** Stores uploaded items, with their predictions in the same transaction. */
    async addItems(
      uploaded: readonly UploadedItem[],
      { training, good, originOf, record }: NewItems,
      predictions?: NewPredictions,
    ): Promise<string[]> {
      const now = new Date().toISOString();
      const verdict = training ? (good ?? true) : good;
      const itemIds = uploaded.map((item) => item.itemId);
      const rows = uploaded.map((item) => ({
        item_id: item.itemId,
        name: item.name,
        active: 1,
        is_training: training ? 1 : 0,
        user_result: verdict === undefined ? null : verdict ? ('OK' as const) : ('NG' as const),
        user_label: verdict === undefined ? null : verdict ? 'good' : 'defect',
        user_assessed_at: verdict === undefined ? null : now,
        created_at: now,
        ...originRow(originOf(item)),
      }));
      const added = uploaded.map(({ itemId, images }) => ({
        itemId,
        images: images.map((image, position) => ({ ...image, item_id: itemId, position })),
      }));
      await db.transaction().execute(async (trx) => {
        const known = await predictions?.begin(trx, added);
        const statusOf = (itemId: string) => {
          const remarks = known?.get(itemId);
          if (!remarks) return { status: known ? ('queued' as const) : ('pending' as const), status_text: null };
          return { status: 'done' as const, status_text: remarks.length > 0 ? storeMessages(remarks) : null };
        };
        const stored = await store.insertItems(
          trx,
          rows.map((row) => ({ ...row, ...statusOf(row.item_id) })),
          added.flatMap((item) => item.images),
        );
        await predictions?.storeVerdicts(trx, stored);
        await record?.(trx, itemIds);
        // A person who uploads items as good or NG judges them. What machines send is not a verdict of a person.
        if (currentCaller().kind !== 'user') return;
        const judged = rows.filter((row) => row.user_result !== null);
        const entries = judged.map(({ item_id: id, user_result: result }) => ({
          id,
          details: { result, upload: true },
        }));
        await audit.record(trx, 'item.assess', entries);
      });
      predictions?.committed();
      return itemIds;
    },

    /** @param threshold of the model of the query */
    async listItems(query: ItemsQuery, threshold?: number): Promise<DetailedPage> {
      const { page, count, after, sort, ...filter } = query;
      if (after !== undefined && page > 1) {
        throw fieldError('invalid-request', 'page', say('field.not-with', { other: 'after' }));
      }
      if (sort !== undefined && (filter.model_id === undefined || filter.item_type === 'training')) {
        throw fieldError('invalid-request', 'sort', say('field.needs-scores'));
      }
      if (after !== undefined && after.includes(':') !== (sort !== undefined)) {
        throw fieldError('invalid-request', 'after', say('field.other-order'));
      }
      const found = await lists.listItems(filter, { page, count, after, sort, threshold });
      return {
        ...found,
        items: await store.getDetails(found.items, query.model_id),
        endPage: Math.max(1, Math.ceil(found.total / count)),
      };
    },

    /** Items of a product that people judged and that are not for training; the newest first. */
    async listJudgedIds(targetId: number, limit: number): Promise<string[]> {
      const ofVerdict = async (verdict: 'OK' | 'NG') =>
        (
          await lists.listItems(
            { item_type: 'prediction', target_id: targetId, user_result: verdict },
            { count: limit },
          )
        ).items;
      const judged = [...(await ofVerdict('OK')), ...(await ofVerdict('NG'))];
      const newest = judged.sort((one, other) => other.seq - one.seq).slice(0, limit);
      return newest.map((item) => item.item_id);
    },

    requireItems,
    conditionOf,

    refuseRemovedImages,
    lockItems: store.lockItems,

    /**
     * The items stay as they are until the transaction ends.
     * @throws AppError `images-removed` naming each item whose images retention has removed.
     */
    async requireImages(itemIds: readonly string[], trx: Trx): Promise<void> {
      refuseRemovedImages(await store.lockItems(trx, itemIds));
    },

    async getItem(itemId: string, modelId?: string): Promise<ItemDetails> {
      const [details] = await store.getDetails(await requireItems([itemId]), modelId);
      if (!details) throw new AppError('item-not-found', { ids: itemId });
      return details;
    },

    /** The items that still exist, with all that belongs to them. */
    async findDetails(itemIds: readonly string[], modelId?: string, trx?: Trx): Promise<ItemDetails[]> {
      return store.getDetails(await store.findItems(itemIds, trx), modelId, trx);
    },

    /** The item that the station inspected last. */
    async findLastInspectedAt(stationId: string): Promise<ItemDetails | undefined> {
      const item = await store.findLastInspectedAt(stationId);
      return item && (await store.getDetails([item]))[0];
    },

    /** Gives an item the name of another file, and what that name says. */
    async renameItem(
      trx: Trx,
      itemId: string,
      { name, imageName, origin }: { name: string; imageName: string; origin: ItemOrigin },
    ): Promise<void> {
      await store.renameItem(trx, itemId, { name, imageName, ...originRow(origin) });
    },

    setSourcePath: store.setSourcePath,
    countWaitingAt: store.countWaitingAt,
    findItems: store.findItems,
    isTargetUsed: store.isTargetUsed,
    findImages: store.findImages,
    findByBlobs: (blobs: readonly string[], modelId: string) => store.findByBlobs(blobs, modelId),
    listActiveTrainingIds: store.listActiveTrainingIds,
    updateItems: store.updateItems,
    queueItems: statuses.queueItems,
    markProcessing: statuses.markProcessing,
    endPrediction: statuses.endPrediction,

    /** For items that nobody holds. */
    removeItems: store.deleteItems,

    /** All or none. */
    async deleteItems(itemIds: readonly string[]): Promise<string[]> {
      const distinct = [...new Set(itemIds)];
      if (distinct.length === 0) throw fieldError('invalid-request', 'item_ids', say('field.empty'));
      await db.transaction().execute(async (trx) => {
        const found = await requireItems(distinct, trx);
        await dependencies.beforeDelete(trx, distinct);
        await store.deleteItems(trx, distinct);
        const entries = found.map(({ item_id: id, name }) => ({ id, details: { name } }));
        await audit.record(trx, 'item.delete', entries);
      });
      return distinct;
    },
  };
}

/** @throws AppError `images-removed`. */
function refuseRemovedImages(items: readonly Pick<ItemRow, 'item_id' | 'images_removed_at'>[]): void {
  const missing = items.filter((item) => item.images_removed_at !== null).map((item) => item.item_id);
  if (missing.length === 0) return;
  const problems = missing.slice(0, 50).map((key) => ({ key, errors: [say('item.images-removed')] }));
  throw new AppError('images-removed', { ids: listNames(missing, 3) }, { problems });
}

function originRow({ serial, lot, station_id, target_id, fields = {} }: ItemOrigin) {
  return {
    ...(target_id === undefined ? {} : { target_id }),
    serial: serial ?? null,
    lot: lot ?? null,
    station_id: station_id ?? null,
    fields: Object.keys(fields).length > 0 ? JSON.stringify(fields) : null,
  };
}
