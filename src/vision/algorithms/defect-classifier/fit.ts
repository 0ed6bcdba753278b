import { noCorrections } from '../../corrections/correction-patches.ts';
import { stackRows } from '../../math/matrix.ts';
import type { OwnedBank } from '../../memory-bank/open-left-out-bank.ts';
import { chooseSearch } from '../../memory-bank/open-memory-search.ts';
import type { MatrixProduct } from '../../onnx/open-matrix-product.ts';
import { conformalThreshold, smallSampleRemark } from '../../training/conformal-threshold.ts';
import type { TrainingPatches } from '../../training/extract-training-patches.ts';
import type { FitInput, FitResult } from '../../training/fit-input.ts';
import { heldOutFolds } from '../../training/held-out-folds.ts';
import { learnWeightedBank, someGrids } from '../../training/learn-bank.ts';
import {
  defectScoresOf,
  type GoodLearner,
  goodSamples,
  learnScoredGood,
  type ScoredGood,
} from '../../training/learn-good-images.ts';
import { learnsTurned } from '../../training/learns-turned.ts';
import type { PatchSource } from '../../training/open-patch-source.ts';
import { supervisedThreshold } from '../../training/supervised-threshold.ts';
import { throwIfCancelled, VisionError } from '../../vision-error.ts';
import { getNumber } from '../contract/parameter-values.ts';
import { memoryLearner, withPatchSource } from '../supervised/memory-learner.ts';
import { encodeDefectClassifier } from './codec.ts';
import { collectDefects, type DefectImage, groupByLabel } from './collect-defects.ts';
import { openPatchClassifier, trainPatchClassifier } from './patch-classifier.ts';
import { chooseWeight, heldOutEvidence, type Judge, WEIGHTS } from './weigh-evidence.ts';

const AXES = 128;
const CANDIDATES = 80_000;
/** Where the second half of the work begins, as fractions of the whole training. */
const [DEFECTS, EVIDENCE, FINISH] = [0.85, 0.87, 0.97];

interface Fitting {
  readonly input: FitInput;
  readonly product: MatrixProduct;
  readonly learner: GoodLearner<OwnedBank>;
}

async function learnClasses(good: readonly TrainingPatches[], defects: readonly DefectImage[], fitting: Fitting) {
  const { input, product } = fitting;
  const groups = groupByLabel(defects);
  const classes = [good.map(({ candidates }) => candidates), ...groups.values()].map(stackRows);
  const { random, signal } = input;
  return { labels: [...groups.keys()], network: await trainPatchClassifier(classes, { random, product, signal }) };
}

/** Held-out scores at the best weight; at 0 and where there is nothing to hold out, those of the memory itself. */
async function weigh(
  { kept, state, goodScores }: ScoredGood<OwnedBank>,
  defects: readonly DefectImage[],
  fitting: Fitting,
) {
  const { input, learner } = fitting;
  const byDistance = async () => {
    const defectScores = await defectScoresOf(input, learner.extractor, () => learner.openScorer(state));
    return { weight: 0, goodScores, defectScores };
  };
  const distinct = (images: readonly (TrainingPatches | DefectImage)[]): number =>
    new Set(images.map(({ sample }) => sample.itemId)).size;
  if (distinct(kept) < 2 || distinct(defects) < 2) return byDistance();
  const learn = async (
    good: readonly TrainingPatches[],
    others: readonly DefectImage[],
  ): Promise<Judge | undefined> => {
    throwIfCancelled(input.signal);
    if (good.length === 0 || others.length === 0) return undefined;
    const scorer = await learner.openScorer(await learner.learn(good));
    return {
      scorer,
      network: await openPatchClassifier((await learnClasses(good, others, fitting)).network, input.threads),
    };
  };
  const folds = heldOutFolds(
    [...kept, ...defects].map(({ sample }) => sample.itemId),
    input.random,
  );
  const evidence = await heldOutEvidence(kept, defects, folds, learn);
  const best = chooseWeight(evidence);
  const weight = WEIGHTS[best] ?? 0;
  if (weight === 0) return byDistance();
  return {
    weight,
    goodScores: evidence.good[best] ?? [],
    defectScores: evidence.defect[best] ?? [],
  };
}

async function fitWith(fitting: Fitting, { layout, projection }: PatchSource): Promise<FitResult> {
  const { input, learner } = fitting;
  const scored = await learnScoredGood(input, learner);
  const { kept, leftOut, doubtful, state } = scored;
  input.report({ fraction: DEFECTS, text: 'looking at the defects' });
  const scorer = await learner.openScorer(state);
  const defects = await collectDefects(input, learner.extractor, scorer);
  await scorer.dispose();
  input.report({ fraction: EVIDENCE, text: 'scoring images that the model has not seen' });
  const { weight, goodScores, defectScores } = await weigh(scored, defects, fitting);
  input.report({ fraction: FINISH, text: 'learning the classes' });
  const { labels, network } = await learnClasses(kept, defects, fitting);
  const fromGood = conformalThreshold(goodScores, learner.falseAlarmRate);
  const rawThreshold = supervisedThreshold(goodScores, defectScores, fromGood, learner.falseAlarmRate);
  const remark = smallSampleRemark(new Set(kept.map(({ sample }) => sample.itemId)).size, learner.falseAlarmRate);
  const { bank, weights } = state;
  const search = await chooseSearch(state, 1, someGrids(kept), input.threads);
  const corrections = noCorrections(bank.columns);
  const memory = { layout, projection, bank, weights, ...search, smoothing: learner.smoothing, corrections };
  return {
    payload: encodeDefectClassifier({ ...memory, network, labels, weight }),
    calibration: { rawThreshold, goodScores, defectScores },
    leftOut,
    doubtful,
    remarks: remark ? [remark] : [],
  };
}

/**
 * A memory of good patches as in PatchCore, and a small network that names what it finds.
 * @throws VisionError `too_few_images` without a good and an NG image, `invalid_backbone`, `cancelled`
 */
export async function fitDefectClassifier(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  const defects = input.samples.filter((sample) => !sample.good);
  if (defects.length === 0)
    throw new VisionError('too_few_images', 'There is no NG image to learn classes from; add one, or use patchcore.');
  throwIfCancelled(input.signal);
  input.report({ fraction: 0, text: 'looking at the images' });
  const options = { imageSize: getNumber(input.params, 'image_size'), axes: AXES };
  return withPatchSource([...good, ...defects], input, options, async (source, product) => {
    const rotations = await learnsTurned(input, source);
    const learning = { candidates: CANDIDATES, rotations, learnBank: learnWeightedBank };
    return fitWith({ input, product, learner: memoryLearner(input, source.extractor, product, learning) }, source);
  });
}
