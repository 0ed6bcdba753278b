import { inspectedScore } from '../../anomaly-map/inspected-map.ts';
import { multiplyMap } from '../../anomaly-map/map-scorer.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { say } from '../../engine-messages.ts';
import { aurocGain } from '../../evaluation/ranking-metrics.ts';
import { type Matrix, stackRows } from '../../math/matrix.ts';
import { openBankScorer } from '../../memory-bank/open-memory-search.ts';
import { chooseCopies } from '../../training/augmentation.ts';
import { calibrate, describeTraining, scoreDefects } from '../../training/calibrate.ts';
import { extractGoodImages } from '../../training/extract-training-patches.ts';
import { type FitInput, type FitResult, getNumber, goodSamples, LEARNING } from '../../training/fit-input.ts';
import { learnBankScorer, learnScoredBank, type ScoredBank } from '../../training/learn-bank.ts';
import { heldOutFolds } from '../../training/learn-by-folds.ts';
import { SHARED_BY_BANK } from '../../training/thresholds.ts';
import { keptImage, type TrainingPatches } from '../../training/training-patches.ts';
import { learnProjection, type PlainTraining, type Training, withTraining } from '../../training/with-training.ts';
import { throwIfCancelled, VisionError } from '../../vision-error.ts';
import { collectDefects, type DefectImage, groupByLabel } from './collect-defects.ts';
import { encodeDefectClassifier } from './model.ts';
import { openPatchClassifier, trainPatchClassifier, weightDistances } from './patch-classifier.ts';

const CANDIDATES = 80_000;
/** Where the second half of the work begins, as fractions of the whole training. */
const [DEFECTS, EVIDENCE, FINISH] = [0.85, 0.87, 0.97];

/** How much the learned classes may count beside the distance. */
const WEIGHTS = [0, 0.25, 0.5, 1];
/** The best weight must gain so many standard errors: one is gained by chance in one training of six. */
const SURE_ERRORS = 2;

type ClassifierTraining = Training<Matrix>;

const bankOptions = ({ params }: FitInput) => ({
  size: getNumber(params, 'bank_size'),
  neighbours: 1,
  weighted: true,
  searched: false,
});

const scoringOf = ({ smoothing, threads }: Training) => ({ neighbours: 1, smoothing, threads });

async function learnClasses(
  good: readonly TrainingPatches[],
  defects: readonly DefectImage[],
  training: ClassifierTraining,
) {
  const groups = groupByLabel(defects);
  const classes = [good.map(({ candidates }) => candidates), ...groups.values()].map(stackRows);
  return { labels: [...groups.keys()], network: await trainPatchClassifier(classes, training) };
}

const countItems = (images: readonly (TrainingPatches | DefectImage)[]): number =>
  new Set(images.map(({ sample }) => sample.itemId)).size;

/** Raw scores of images at each of {@link WEIGHTS}. */
type Evidence = Readonly<Record<'good' | 'defect', readonly number[][]>>;

/** Cross-validation: scores every image by a classifier that was trained on no image of its item. */
async function scoreHeldOut(
  { kept: good, bank: { placeFactors } }: ScoredBank,
  defects: readonly DefectImage[],
  training: ClassifierTraining,
): Promise<Evidence> {
  const evidence: Evidence = { good: WEIGHTS.map(() => []), defect: WEIGHTS.map(() => []) };
  if (countItems(good) < 2 || countItems(defects) < 2) return evidence;
  const itemIds = [...good, ...defects].map(({ sample }) => sample.itemId);
  for (const fold of heldOutFolds(itemIds, training.random)) {
    throwIfCancelled(training.signal);
    const heldOut = new Set(fold);
    const seenGood = good.filter((_, index) => !heldOut.has(index));
    const seenDefects = defects.filter((_, index) => !heldOut.has(good.length + index));
    if (seenGood.length === 0 || seenDefects.length === 0) continue;
    const scorer = await learnBankScorer(seenGood, bankOptions(training), training);
    const { network } = await learnClasses(seenGood, seenDefects, training);
    const classifier = await openPatchClassifier(network, training.threads);
    for (const index of fold) {
      const image = keptImage(good[index] ?? defects[index - good.length] ?? {});
      if (!image) continue;
      const distances = multiplyMap(await scorer.score(image.features), placeFactors);
      const classes = await classifier.classify(image.features.patches);
      const scores = index < good.length ? evidence.good : evidence.defect;
      for (const [which, weight] of WEIGHTS.entries())
        scores[which]?.push(inspectedScore(weightDistances(distances, classes, weight), image.inspection));
    }
    await scorer.dispose();
    await classifier.dispose();
  }
  return evidence;
}

/**
 * Index of the least weight that orders held-out scores as well as the best one does, by the rule of one standard error
 * (Breiman et al. 1984). 0 where the best one's gain is not sure.
 */
export function chooseWeight({ good, defect }: Evidence): number {
  const scoresAt = (which: number) => ({ good: good[which] ?? [], defect: defect[which] ?? [] });
  const plain = scoresAt(0);
  if (plain.good.length === 0 || plain.defect.length === 0) return 0;
  const gains = WEIGHTS.map((_, which) => aurocGain(plain, scoresAt(which)));
  const best = gains.reduce((best, other) => (other.gain > best.gain ? other : best));
  if (best.gain <= SURE_ERRORS * best.error) return 0;
  return gains.findIndex(({ gain }) => gain >= best.gain - best.error);
}

/** Held-out scores at the best weight; at 0 and where there is nothing to hold out, those of the memory itself. */
async function weigh(scored: ScoredBank, defects: readonly DefectImage[], training: ClassifierTraining) {
  const { bank, goodScores } = scored;
  const evidence = await scoreHeldOut(scored, defects, training);
  const best = chooseWeight(evidence);
  const weight = WEIGHTS[best] ?? 0;
  if (weight > 0) return { weight, goodScores: evidence.good[best] ?? [], defectScores: evidence.defect[best] ?? [] };
  const defectScores = await scoreDefects(training, () => openBankScorer(bank, scoringOf(training)));
  return { weight, goodScores, defectScores };
}

async function fitWith(training: ClassifierTraining): Promise<FitResult> {
  const { layout, projection, extractor, smoothing, falseAlarmRate, report } = training;
  const copies = await chooseCopies(training);
  const images = await extractGoodImages(training, { candidates: CANDIDATES, copies });
  report({ fraction: LEARNING, doing: say('progress.learning') });
  const scored = await learnScoredBank(images, { ...bankOptions(training), searched: true }, training);
  const { kept, bank: memory } = scored;
  report({ fraction: DEFECTS, doing: say('progress.defects') });
  const scorer = await openBankScorer(memory, scoringOf(training));
  const defects = await collectDefects(training, extractor, scorer);
  await scorer.dispose();
  report({ fraction: EVIDENCE, doing: say('progress.scoring') });
  const { weight, goodScores, defectScores } = await weigh(scored, defects, training);
  report({ fraction: FINISH, doing: say('progress.classes') });
  const { labels, network } = await learnClasses(kept, defects, training);
  const corrections = noCorrections(memory.bank.columns);
  const state = { layout, projection, ...memory, smoothing, corrections, network, labels, weight };
  const calibration = calibrate(goodScores, defectScores, falseAlarmRate, SHARED_BY_BANK);
  return { payload: encodeDefectClassifier(state), ...describeTraining(scored, calibration, training) };
}

/**
 * A memory of good patches as in PatchCore, and a small network that names what it finds.
 * @throws VisionError `too_few_images` without a good and an NG image, `invalid_backbone`, `cancelled`
 */
export async function fitDefectClassifier(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  const defects = input.samples.filter((sample) => !sample.good);
  if (defects.length === 0) throw new VisionError('too_few_images', say('training.no-ng-image'));
  const options = { learnProjection: (plain: PlainTraining) => learnProjection(good, plain) };
  return withTraining(input, [...good, ...defects], options, fitWith);
}
