import { noCorrections } from '../../corrections/correction-patches.ts';
import { say } from '../../engine-messages.ts';
import { type Matrix, stackRows } from '../../math/matrix.ts';
import { chooseSearch, openBankScorer } from '../../memory-bank/open-memory-search.ts';
import { calibrate, describeTraining, scoreDefects } from '../../training/calibrate.ts';
import { extractGoodImages } from '../../training/extract-training-patches.ts';
import { type FitInput, type FitResult, getNumber, goodSamples, LEARNING } from '../../training/fit-input.ts';
import { learnBankScorer, learnScoredBank, type ScoredBank, someFeatures } from '../../training/learn-bank.ts';
import { heldOutFolds } from '../../training/learn-by-folds.ts';
import { usesRotations } from '../../training/rotation-augmentation.ts';
import type { TrainingPatches } from '../../training/training-patches.ts';
import { learnProjection, type PlainTraining, type Training, withTraining } from '../../training/with-training.ts';
import { throwIfCancelled, VisionError } from '../../vision-error.ts';
import { collectDefects, type DefectImage, groupByLabel } from './collect-defects.ts';
import { encodeDefectClassifier } from './model.ts';
import { openPatchClassifier, trainPatchClassifier } from './patch-classifier.ts';
import { chooseWeight, heldOutEvidence, type PartialClassifier, WEIGHTS } from './weigh-evidence.ts';

const CANDIDATES = 80_000;
/** Where the second half of the work begins, as fractions of the whole training. */
const [DEFECTS, EVIDENCE, FINISH] = [0.85, 0.87, 0.97];

type ClassifierTraining = Training<Matrix>;

const bankOptions = ({ params }: FitInput) => ({
  size: getNumber(params, 'bank_size'),
  neighbours: 1,
  weighted: true,
  searched: false,
});

const scoringOf = ({ smoothing, threads = 1 }: Training) => ({ neighbours: 1, smoothing, threads });

async function learnClasses(
  good: readonly TrainingPatches[],
  defects: readonly DefectImage[],
  training: ClassifierTraining,
) {
  const groups = groupByLabel(defects);
  const classes = [good.map(({ candidates }) => candidates), ...groups.values()].map(stackRows);
  return { labels: [...groups.keys()], network: await trainPatchClassifier(classes, training) };
}

/** Held-out scores at the best weight; at 0 and where there is nothing to hold out, those of the memory itself. */
async function weigh(
  { kept, bank, goodScores }: ScoredBank,
  defects: readonly DefectImage[],
  training: ClassifierTraining,
) {
  const byDistance = async () => {
    const defectScores = await scoreDefects(training, () => openBankScorer(bank, scoringOf(training)));
    return { weight: 0, goodScores, defectScores };
  };
  const countItems = (images: readonly (TrainingPatches | DefectImage)[]): number =>
    new Set(images.map(({ sample }) => sample.itemId)).size;
  if (countItems(kept) < 2 || countItems(defects) < 2) return byDistance();
  const learn = async (
    good: readonly TrainingPatches[],
    others: readonly DefectImage[],
  ): Promise<PartialClassifier | undefined> => {
    throwIfCancelled(training.signal);
    if (good.length === 0 || others.length === 0) return undefined;
    const scorer = await learnBankScorer(good, bankOptions(training), training);
    const { network } = await learnClasses(good, others, training);
    return { scorer, network: await openPatchClassifier(network, training.threads) };
  };
  const itemIds = [...kept, ...defects].map(({ sample }) => sample.itemId);
  const evidence = await heldOutEvidence(kept, defects, heldOutFolds(itemIds, training.random), learn);
  const best = chooseWeight(evidence);
  const weight = WEIGHTS[best] ?? 0;
  if (weight === 0) return byDistance();
  return { weight, goodScores: evidence.good[best] ?? [], defectScores: evidence.defect[best] ?? [] };
}

async function fitWith(training: ClassifierTraining): Promise<FitResult> {
  const { layout, projection, extractor, smoothing, falseAlarmRate, threads, report } = training;
  const rotations = await usesRotations(training);
  const images = await extractGoodImages(training, { candidates: CANDIDATES, rotations, flips: false });
  report({ fraction: LEARNING, doing: say('progress.learning') });
  const scored = await learnScoredBank(images, bankOptions(training), training);
  const { kept, bank: memory } = scored;
  report({ fraction: DEFECTS, doing: say('progress.defects') });
  const scorer = await openBankScorer(memory, scoringOf(training));
  const defects = await collectDefects(training, extractor, scorer);
  await scorer.dispose();
  report({ fraction: EVIDENCE, doing: say('progress.scoring') });
  const { weight, goodScores, defectScores } = await weigh(scored, defects, training);
  report({ fraction: FINISH, doing: say('progress.classes') });
  const { labels, network } = await learnClasses(kept, defects, training);
  const { bank, weights } = memory;
  const search = await chooseSearch(memory, 1, someFeatures(kept), threads);
  const corrections = noCorrections(bank.columns);
  const state = { layout, projection, bank, weights, ...search, smoothing, corrections, network, labels, weight };
  const calibration = calibrate(goodScores, defectScores, falseAlarmRate);
  return { payload: encodeDefectClassifier(state), ...describeTraining(scored, calibration, falseAlarmRate) };
}

/**
 * A memory of good patches as in PatchCore, and a small network that names what it finds.
 * @throws VisionError `too_few_images` without a good and an NG image, `invalid_backbone`, `cancelled`
 */
export async function fitDefectClassifier(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  const defects = input.samples.filter((sample) => !sample.good);
  if (defects.length === 0) throw new VisionError('too_few_images', say('training.no-ng-image'));
  const all = [...good, ...defects];
  const options = { learnProjection: (plain: PlainTraining) => learnProjection(all, plain) };
  return withTraining(input, all, options, fitWith);
}
