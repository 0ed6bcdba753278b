import type { Db, Trx } from '../../storage/database.ts';
import type { ItemOrigin } from '../items/items.schemas.ts';
import type { ItemsService } from '../items/items.service.ts';
import { parseUploadedName } from '../items/uploaded-name.ts';
import type { PredictionService } from '../prediction/prediction.service.ts';
import type { Arrival } from '../stations/arrival.ts';
import type { StationsService } from '../stations/stations.service.ts';

export type Admission = ReturnType<typeof createAdmission>;

export interface NewImage {
  readonly stationId: string;
  /** Name of the file, with the folders that lead to it. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Its prediction waits for `release`. */
  readonly hold?: boolean;
  /** Somebody may still write it: where it cannot be read, it is no image yet, and no fault. */
  readonly mayGrow?: boolean;
  /** Runs in the transaction that stores the item. */
  record(trx: Trx, itemId: string): Promise<void>;
}

/** Stores the images that sources bring. */
export function createAdmission(dependencies: {
  db: Db;
  items: ItemsService;
  predictions: PredictionService;
  stations: Pick<StationsService, 'requireStation' | 'openStation' | 'chooseModel' | 'originOf'>;
  /** Tells the outputs of the station that an image has come. */
  begin(stationId: string): Arrival;
}) {
  const { db, items, predictions, stations } = dependencies;
  const nameOf = (path: string) => parseUploadedName(path.split('/').at(-1) ?? path);

  return {
    /**
     * Stores an image as an item with its prediction, in one transaction.
     * @param asked where a controller or a person has asked for the image
     * @returns the id of the item.
     * @throws AppError `image-invalid` where it cannot be read to its end, `station-not-ready`, `server-busy`.
     */
    async admit(image: NewImage, asked?: Arrival): Promise<string> {
      const { stationId, path, bytes, hold = false, mayGrow = false, record } = image;
      const [{ station, model }] = await Promise.all([stations.openStation(stationId), predictions.requireRoom()]);
      const prediction = await predictions.prepareChoice((trx) => stations.chooseModel(trx, stationId));
      const upload = items.beginUpload();
      await upload.addFile(path, bytes, (file) => predictions.checkImage(file, model));
      const finish = () => upload.finish(nameOf(path).itemName, true);
      if (mayGrow) finish();
      const arrival = asked ?? dependencies.begin(stationId);
      try {
        const uploaded = finish();
        const [itemId = ''] = await items.addItems(
          uploaded,
          {
            training: false,
            good: undefined,
            originOf: (item): ItemOrigin => ({ ...arrival.given, ...stations.originOf(station, {}, item) }),
            record: async (trx, itemIds) => {
              for (const id of itemIds) await record(trx, id);
            },
          },
          hold ? undefined : prediction,
        );
        arrival.stored(itemId);
        return itemId;
      } catch (error) {
        arrival.failed();
        throw error;
      }
    },

    /** Gives an item the name of another file, with what that name says. */
    async rename(stationId: string, itemId: string, path: string): Promise<void> {
      const station = await stations.requireStation(stationId);
      const { path: fileName } = parseUploadedName(path);
      const { itemName, imageName } = nameOf(path);
      const origin = stations.originOf(station, {}, { fileName });
      await db.transaction().execute(async (trx) => {
        await items.renameItem(trx, itemId, { name: itemName, imageName, origin });
      });
    },

    /** Queues the prediction of an item that was held. @throws AppError `station-not-ready`, `server-busy` */
    async release(stationId: string, itemId: string, record: (trx: Trx) => Promise<void>): Promise<void> {
      let modelId = '';
      const prediction = await predictions.prepareChoice(async (trx) => {
        const chosen = await stations.chooseModel(trx, stationId);
        modelId = chosen.model.model_id;
        return chosen;
      });
      await db.transaction().execute(async (trx) => {
        // Without images no verdict of an upload is looked for: the prediction is queued.
        await prediction.begin(trx, [{ itemId, images: [] }]);
        await items.queueItems(trx, [itemId], modelId);
        await record(trx);
      });
      prediction.committed();
    },
  };
}
