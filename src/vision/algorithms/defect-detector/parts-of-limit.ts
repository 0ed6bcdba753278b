import type { JudgedPatches } from '../../anomaly-map/patch-measure.ts';
import type { Limits } from './judge-image.ts';

/** Patches whose raw scores are parts of the limit for distances. */
export const partsOfLimit = (patches: JudgedPatches, { distance }: Limits): JudgedPatches => ({
  ...patches,
  factors: new Float64Array(patches.distances.length).fill(1 / distance),
});
