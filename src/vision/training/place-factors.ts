import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { ScoreMap } from '../types.ts';
import { LEAST_SCORE } from './thresholds.ts';

export interface ItemMap {
  readonly itemId: string;
  /** Smoothed distances of a good image from the members of other items. */
  readonly map: ScoreMap;
}

/** Below this share a product counts as one that turns or moves: chosen on nine sets, see docs/decisions/place-factors.md. */
const LEAST_SHARE = 0.5;
/** So many items count half. */
const HALF_ITEMS = 100;
const FEWEST_ITEMS = 8;
/** Blur of the factors, in cells: neighbours vary alike. */
const BLUR = 1;

/** Logarithms of the map without its mean: how far its places differ from one another. [cells] */
function placesOf({ data }: ScoreMap): Float64Array {
  const logs = Float64Array.from(data, (score) => Math.log(Math.max(score, LEAST_SCORE)));
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  return logs.map((value) => value - mean);
}

function meanOf(rows: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(rows[0]?.length ?? 0);
  for (const row of rows) for (let cell = 0; cell < mean.length; cell++) mean[cell]! += row[cell]! / rows.length;
  return mean;
}

/** Share of the maps' squares that another mean map explains, 0 to 1. */
function explainedShare(maps: readonly Float64Array[], mean: Float64Array): number {
  let [all, left] = [0, 0];
  for (const map of maps)
    map.forEach((value, cell) => {
      all += value ** 2;
      left += (value - mean[cell]!) ** 2;
    });
  return all === 0 ? 0 : Math.max(0, 1 - left / all);
}

/**
 * Learns where good products vary more than elsewhere. Where a product always lies the same way, the mean map of one
 * half of the items explains the maps of the other half. The distances are then divided by the mean map, to a power
 * that grows with the explained share and with the items.
 * @param maps all of one shape
 * @returns factors of smoothed distances, their geometric mean is 1, [rows · columns]; undefined where the place says
 * too little
 */
export function learnPlaceFactors(maps: readonly ItemMap[]): Float32Array | undefined {
  const items = [...new Set(maps.map(({ itemId }) => itemId))];
  const grid = maps[0]?.map;
  if (!grid || items.length < FEWEST_ITEMS) return undefined;
  const halfOf = new Map(items.map((itemId, index) => [itemId, index % 2]));
  const places = maps.map(({ itemId, map }) => ({ half: halfOf.get(itemId), logs: placesOf(map) }));
  const inHalf = (half: number) => places.filter((place) => place.half === half).map(({ logs }) => logs);
  const [first, second] = [inHalf(0), inHalf(1)];
  const share = (explainedShare(first, meanOf(second)) + explainedShare(second, meanOf(first))) / 2;
  if (share < LEAST_SHARE) return undefined;
  const power = (share * items.length) / (items.length + HALF_ITEMS);
  const { rows, columns } = grid;
  const data = Float32Array.from(meanOf(places.map(({ logs }) => logs)));
  return gaussianBlur({ rows, columns, data }, BLUR).data.map((log) => Math.exp(-power * log));
}
