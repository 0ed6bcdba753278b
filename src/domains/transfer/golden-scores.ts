import type { ComputePool } from '../../jobs/compute/compute-pool.ts';
import type { ModelSource } from '../../jobs/compute/compute-worker.ts';

export type ComputeGoldenScore = (model: ModelSource, image: Uint8Array) => Promise<string>;

/** How many images go with a model. */
export const goldenImages = 3;

/** The score of an image apart from any setting that may be changed after training, in six decimals. */
export function createGoldenScore(pool: ComputePool): ComputeGoldenScore {
  const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0 };
  return async (model, image) => (await pool.predict({ model, image, options })).anomalyScore.toFixed(6);
}
