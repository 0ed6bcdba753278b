import type { ModelRow } from '../../storage/database.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { ItemOrigin } from '../items/items.schemas.ts';
import type { UploadedItem } from '../items/upload.ts';
import type { PredictionService } from '../prediction/prediction.service.ts';
import type { Arrival } from '../stations/arrival.ts';
import type { StationsService } from '../stations/stations.service.ts';
import type { InspectionService } from './inspection.service.ts';

export type InspectAtStation = ReturnType<typeof createStationInspection>;

/** Inspects images that are sent to a station. */
export function createStationInspection(dependencies: {
  inspections: InspectionService;
  predictions: PredictionService;
  stations: StationsService;
  begin(stationId: string): Arrival;
  /** Called when the verdict is there, or will not come. */
  onEnd(): void;
}) {
  const { inspections, predictions, stations } = dependencies;
  /**
   * @param read reads the images; it throws where they cannot be used. `model` gives the model that is going to inspect
   *   them, or throws where the station takes none.
   * @param deadline on the clock of `performance.now()`
   */
  return async (
    stationId: string,
    read: (model: () => Promise<ModelRow>) => Promise<{ item: UploadedItem; origin: ItemOrigin }>,
    deadline: number,
  ): Promise<ItemDetails> => {
    const arrival = dependencies.begin(stationId);
    try {
      // While the images are on their way.
      const opening = Promise.all([stations.openStation(stationId), predictions.requireRoom()]);
      const reading = read(async () => (await opening)[0].model);
      const [{ item, origin }, [{ station }]] = await Promise.all([
        // Where both fail, the station is at fault.
        reading.catch((error) => opening.then(() => Promise.reject(error))),
        opening,
      ]);
      const prediction = await predictions.prepareChoice((trx) => stations.chooseModel(trx, stationId));
      const known = { ...arrival.given, ...stations.originOf(station, origin, item) };
      return await inspections.inspect(item, known, prediction, deadline, () => arrival.stored(item.itemId));
    } catch (error) {
      arrival.failed();
      throw error;
    } finally {
      dependencies.onEnd();
    }
  };
}
