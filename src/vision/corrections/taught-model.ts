import type { PatchMeasure } from '../anomaly-map/patch-measure.ts';
import type { PatchExtractor } from '../backbone/patch-extractor.ts';
import type { Predictor } from '../types.ts';
import { openTaughtScorer } from './open-taught-scorer.ts';
import type { TaughtPatches } from './taught-patches.ts';
import type { TeachableModel } from './teachable-model.ts';

/** What every model that can be taught keeps beside what training gave it. */
export interface TaughtState {
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
  /** What it was taught after training. */
  readonly taught: TaughtPatches;
}

interface PatchView {
  readonly extractor: PatchExtractor;
  readonly measure: PatchMeasure;
}

/** Predicts by distances and by what was taught; closes the view in the end. */
export async function openTaughtPredictor(
  { taught, smoothing }: TaughtState,
  { extractor, measure }: PatchView,
): Promise<Predictor> {
  const scorer = await openTaughtScorer(taught, smoothing);
  return {
    async predict({ image }) {
      return { map: (await scorer.score(await measure.measure(await extractor.extract(image), false))).map };
    },
    async dispose() {
      await measure.dispose();
      await scorer.dispose();
      await extractor.dispose();
    },
  };
}

/** A model in parts; closes the view in the end. @param encode the model's payload with other taught patches */
export function teachableModel(
  { taught, smoothing }: TaughtState,
  { extractor, measure }: PatchView,
  { leavesOut, encode }: Pick<TeachableModel, 'leavesOut' | 'encode'>,
): TeachableModel {
  return {
    smoothing,
    taught,
    leavesOut,
    encode,
    judge: async (image, heldOut) => measure.measure(await extractor.extract(image), heldOut),
    async dispose() {
      await measure.dispose();
      await extractor.dispose();
    },
  };
}
