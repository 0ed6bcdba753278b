import { inspectedScore } from '../../anomaly-map/inspected-map.ts';
import type { MapScorer } from '../../anomaly-map/map-scorer.ts';
import { aurocGain } from '../../evaluation/ranking-metrics.ts';
import { keptImage, type TrainingPatches } from '../../training/training-patches.ts';
import type { DefectImage } from './collect-defects.ts';
import { type PatchClassifier, weightDistances } from './patch-classifier.ts';

/** How much the learned classes may count beside the distance. */
export const WEIGHTS = [0, 0.5, 1] as const;

/** What was learned from a part of the images. */
export interface PartialClassifier {
  readonly scorer: MapScorer;
  readonly network: PatchClassifier;
}

async function scoresAtWeights(image: TrainingPatches | DefectImage, { scorer, network }: PartialClassifier) {
  const kept = keptImage(image);
  if (!kept) return undefined;
  const distances = await scorer.score(kept.features);
  const classes = await network.classify(kept.features.patches);
  return WEIGHTS.map((weight) => inspectedScore(weightDistances(distances, classes, weight), kept.inspection));
}

/**
 * Scores every image by a classifier that was trained on no image of its item, at each of {@link WEIGHTS}.
 * @param folds indices into the good images followed by the defects
 * @param learn undefined where good or NG images are missing to learn from
 */
export async function heldOutEvidence(
  good: readonly TrainingPatches[],
  defects: readonly DefectImage[],
  folds: readonly (readonly number[])[],
  learn: (good: readonly TrainingPatches[], defects: readonly DefectImage[]) => Promise<PartialClassifier | undefined>,
) {
  const evidence = { good: WEIGHTS.map((): number[] => []), defect: WEIGHTS.map((): number[] => []) };
  for (const fold of folds) {
    const out = new Set(fold);
    const classifier = await learn(
      good.filter((_, index) => !out.has(index)),
      defects.filter((_, index) => !out.has(good.length + index)),
    );
    if (!classifier) continue;
    for (const index of fold) {
      const image = good[index] ?? defects[index - good.length];
      const scores = image && (await scoresAtWeights(image, classifier));
      const kind = index < good.length ? evidence.good : evidence.defect;
      scores?.forEach((score, which) => {
        kind[which]?.push(score);
      });
    }
    await classifier.scorer.dispose();
    await classifier.network.dispose();
  }
  return evidence;
}

/** Index of the weight that orders held-out scores best, if it gains more than a standard error (Breiman et al. 1984). */
export function chooseWeight({ good, defect }: Awaited<ReturnType<typeof heldOutEvidence>>): number {
  const scoresAt = (which: number) => ({ good: good[which] ?? [], defect: defect[which] ?? [] });
  const plain = scoresAt(0);
  if (plain.good.length === 0 || plain.defect.length === 0) return 0;
  let best = { which: 0, gain: 0 };
  for (let which = 1; which < WEIGHTS.length; which++) {
    const { gain, error } = aurocGain(plain, scoresAt(which));
    if (gain > best.gain && gain > error) best = { which, gain };
  }
  return best.which;
}
