import type { ModelRow } from '../../storage/database.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { ItemOrigin } from '../items/items.schemas.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { PredictionService } from '../prediction/prediction.service.ts';
import type { SourcesService } from '../sources/sources.service.ts';
import type { StationsService } from '../stations/stations.service.ts';
import type { InspectAtStation } from './inspect-at-station.ts';

export type TriggerStation = ReturnType<typeof createStationTrigger>;

/** Has the camera of a station take an image, and inspects it. */
export function createStationTrigger(dependencies: {
  inspectAt: InspectAtStation;
  items: ItemsService;
  predictions: PredictionService;
  sources: Pick<SourcesService, 'takeImage'>;
  stations: StationsService;
}) {
  const { inspectAt, items, predictions, sources, stations } = dependencies;
  /**
   * @param given what the caller says of the product
   * @param deadline on the clock of `performance.now()`
   * @returns the item, also where its verdict is not there in time.
   * @throws AppError where the station has no camera, takes no images, or the camera sends none.
   */
  return (stationId: string, given: ItemOrigin, deadline: number): Promise<ItemDetails> => {
    const read = async (open: () => Promise<ModelRow>) => {
      const model = await open();
      const image = await sources.takeImage(await stations.requireStation(stationId));
      const upload = items.beginUpload();
      await upload.addFile(image.name, image.bytes, (bytes) => predictions.checkImage(bytes, model));
      const [item] = upload.finish(undefined, true);
      if (!item) throw new Error('An image without an item was not refused.');
      return { item, origin: given };
    };
    return inspectAt(stationId, read, deadline);
  };
}
