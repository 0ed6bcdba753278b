import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { type CorrectedScores, openCorrectedScorer } from '../../corrections/corrected-scorer.ts';
import type { Matrix } from '../../math/matrix.ts';
import type { BackboneFile, Predictor } from '../../types.ts';
import { openClassifierMeasure } from './classifier-measure.ts';
import { decodeDefectClassifier } from './codec.ts';
import { likeliestDefect } from './judge-patches.ts';

/** The class that a person gave the defect which the worst place looks like, or else what the network says. */
function labelOf(
  { map, labels: kinds }: CorrectedScores,
  classes: Matrix,
  labels: readonly (number | null)[],
): number | null {
  const worst = map.data.reduce((best, score, cell) => (score > map.data[best]! ? cell : best), 0);
  return kinds?.[worst] ?? labels[likeliestDefect(map, classes) - 1] ?? null;
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openDefectClassifier(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodeDefectClassifier(payload);
  const measure = await openClassifierMeasure(state);
  const scorer = await openCorrectedScorer(state.corrections, state.smoothing);
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection);
  return {
    async predict({ image }) {
      const judged = await measure.measure(await extractor.extract(image), false);
      const scores = await scorer.score(judged);
      const label = labelOf(scores, judged.classes, state.labels);
      return label === null ? { map: scores.map } : { map: scores.map, label };
    },
    async dispose() {
      await measure.dispose();
      await scorer.dispose();
      await extractor.dispose();
    },
  };
}
