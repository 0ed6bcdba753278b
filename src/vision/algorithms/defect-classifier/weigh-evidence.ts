import type { TrainingPatches } from '../../components/extract-training-patches.ts';
import type { MapScorer } from '../../components/map-scorer.ts';
import type { PatchNetwork } from '../../components/patch-network.ts';
import { imageAuroc } from '../../evaluation/ranking-metrics.ts';
import { highestScore, inspectMap } from '../../heatmaps/inspected-map.ts';
import { NO_MARGINS } from '../../inspection/parse-ignore-outer.ts';
import type { DefectImage } from './collect-defects.ts';
import { blendMap, judgePatches } from './judge-patches.ts';

/** How much the learned classes may count beside the distance. */
export const WEIGHTS = [0, 0.5, 1] as const;

/** What is learned from a part of the images. */
export interface Judge {
  readonly scorer: MapScorer;
  readonly network: PatchNetwork;
}

/** Held-out scores at each of {@link WEIGHTS}. */
export interface Evidence {
  readonly good: readonly (readonly number[])[];
  readonly defect: readonly (readonly number[])[];
}

async function scoresAtWeights({ features, frame }: TrainingPatches | DefectImage, { scorer, network }: Judge) {
  if (!features) return undefined;
  const judged = await judgePatches(features, scorer, network);
  return WEIGHTS.map((weight) => highestScore(inspectMap(blendMap(judged, weight), frame, NO_MARGINS)));
}

/**
 * Scores every image by a judge that has seen neither it nor other images of its item.
 * @param folds indices into the good images followed by the defects
 * @param learn undefined where good or NG images are missing to learn from
 */
export async function heldOutEvidence(
  good: readonly TrainingPatches[],
  defects: readonly DefectImage[],
  folds: readonly (readonly number[])[],
  learn: (good: readonly TrainingPatches[], defects: readonly DefectImage[]) => Promise<Judge | undefined>,
): Promise<Evidence> {
  const evidence = { good: WEIGHTS.map((): number[] => []), defect: WEIGHTS.map((): number[] => []) };
  for (const fold of folds) {
    const out = new Set(fold);
    const judge = await learn(
      good.filter((_, index) => !out.has(index)),
      defects.filter((_, index) => !out.has(good.length + index)),
    );
    if (!judge) continue;
    for (const index of fold) {
      const image = good[index] ?? defects[index - good.length];
      const scores = image && (await scoresAtWeights(image, judge));
      const kind = index < good.length ? evidence.good : evidence.defect;
      scores?.forEach((score, which) => {
        kind[which]?.push(score);
      });
    }
    await judge.scorer.dispose();
    await judge.network.dispose();
  }
  return evidence;
}

/** Index of the weight with the best order of held-out scores; the first one, plain distances, unless another is better. */
export function chooseWeight({ good, defect }: Evidence): number {
  const areas = WEIGHTS.map((_, which) => imageAuroc({ good: good[which] ?? [], defect: defect[which] ?? [] }) ?? 0);
  return areas.indexOf(Math.max(...areas));
}
