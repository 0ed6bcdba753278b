import type { ItemOrigin } from '../items/items.schemas.ts';

/** An image that comes to a station, as the outputs of the station follow it. */
export interface Arrival {
  /** What the controller that asked for the image said of the product. */
  readonly given: ItemOrigin;
  /** The image is stored, and its prediction is queued. */
  stored(itemId: string): void;
  /** There will be no verdict. */
  failed(): void;
}

export const unwatchedArrival: Arrival = { given: {}, stored() {}, failed() {} };
