import type { MeasuredPatches } from '../../anomaly-map/patch-measure.ts';
import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import type { Matrix } from '../../math/matrix.ts';
import { openBankMeasure } from '../../memory-bank/bank-measure.ts';
import { openPatchNetwork } from '../supervised/patch-network.ts';
import type { DefectClassifierState } from './codec.ts';
import { defectFactors } from './judge-patches.ts';

export interface ClassifierMeasure {
  /** As a `PatchMeasure`, with the probability of every class (the first is good). [patches, classes] */
  measure(features: PatchFeatures, heldOut: boolean): Promise<MeasuredPatches & { readonly classes: Matrix }>;
  dispose(): Promise<void>;
}

/** Distances from good patches, weighted by what the network takes each patch for. */
export async function openClassifierMeasure(state: DefectClassifierState, threads = 1): Promise<ClassifierMeasure> {
  const { network, weight } = state;
  const memory = await openBankMeasure(state, 1, threads);
  const classifier = await openPatchNetwork(network, threads);
  return {
    async measure(features, heldOut) {
      const judged = await memory.measure(features, heldOut);
      const classes = await classifier.probabilities(features.patches);
      const factors = defectFactors(classes, weight);
      return { ...judged, classes, ...(factors ? { factors } : {}) };
    },
    async dispose() {
      await memory.dispose();
      await classifier.dispose();
    },
  };
}
