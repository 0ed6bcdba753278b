import type { MeasuredPatches } from '../../anomaly-map/patch-measure.ts';
import type { Limits } from './judge-image.ts';

/** Patches whose raw scores are parts of the limit for distances. */
export const partsOfLimit = (patches: MeasuredPatches, { distance }: Limits): MeasuredPatches => ({
  ...patches,
  factors: new Float64Array(patches.distances.length).fill(1 / distance),
});
