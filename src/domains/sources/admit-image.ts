import type { Trx } from '../../storage/database.ts';
import type { ItemOrigin } from '../items/items.schemas.ts';
import type { ItemsService } from '../items/items.service.ts';
import { parseUploadedName } from '../items/uploaded-name.ts';
import type { PredictionService } from '../prediction/prediction.service.ts';
import type { Arrival } from '../stations/arrival.ts';
import type { StationsService } from '../stations/stations.service.ts';

export type AdmitImage = ReturnType<typeof createAdmitImage>;

export interface NewImage {
  readonly stationId: string;
  /** Name of the file, with the folders that lead to it. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Runs in the transaction that stores the item. */
  record?(trx: Trx, itemId: string): Promise<void>;
}

/** Stores an image that a source brings as an item, with its prediction, in one transaction. */
export function createAdmitImage(dependencies: {
  items: ItemsService;
  predictions: PredictionService;
  stations: Pick<StationsService, 'requireStation' | 'requireOpen' | 'chooseModel' | 'originOf'>;
  /** Tells the outputs of the station that an image has come. */
  begin(stationId: string): Arrival;
}) {
  const { items, predictions, stations } = dependencies;
  /**
   * @param asked where a controller or a person has asked for the image
   * @returns the id of the item.
   * @throws AppError `image-invalid` where it cannot be read to its end, `station-not-ready`, `server-busy`.
   */
  return async ({ stationId, path, bytes, record }: NewImage, asked?: Arrival): Promise<string> => {
    const station = await stations.requireStation(stationId);
    await stations.requireOpen(station);
    const enqueue = await predictions.prepareChoice(stationId, (trx) => stations.chooseModel(trx, stationId));
    const upload = items.beginUpload();
    await upload.addFile(path, bytes, (image) => predictions.checkImage(image, station.model_id ?? undefined));
    const name = parseUploadedName(path.split('/').at(-1) ?? path).itemName;
    const arrival = asked ?? dependencies.begin(stationId);
    try {
      const uploaded = upload.finish(name, true);
      const originOf = (item: (typeof uploaded)[number]): ItemOrigin => ({
        ...arrival.given,
        ...stations.originOf(station, {}, item),
      });
      const [itemId = ''] = await items.addItems(
        uploaded,
        { training: false, good: undefined, originOf },
        async (trx, itemIds) => {
          await enqueue(trx, itemIds);
          for (const id of itemIds) await record?.(trx, id);
        },
      );
      arrival.stored(itemId);
      return itemId;
    } catch (error) {
      arrival.failed();
      throw error;
    }
  };
}
