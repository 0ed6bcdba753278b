import { noCorrections } from '../../corrections/correction-patches.ts';
import { say } from '../../engine-messages.ts';
import { openBankScorer } from '../../memory-bank/open-memory-search.ts';
import { chooseCopies } from '../../training/augmentation.ts';
import { calibrate, describeTraining, scoreDefects } from '../../training/calibrate.ts';
import { extractGoodImages } from '../../training/extract-training-patches.ts';
import { type FitInput, type FitResult, getNumber, goodSamples, LEARNING } from '../../training/fit-input.ts';
import { learnScoredBank } from '../../training/learn-bank.ts';
import { SHARED_BY_BANK } from '../../training/thresholds.ts';
import { learnProjection, type PlainTraining, withTraining } from '../../training/with-training.ts';
import { encodePatchcore } from './model.ts';

/** Patches from which the memory bank is chosen: bounds time and memory for any number of images. */
const CANDIDATES = 80_000;

/**
 * Roth et al. 2022 (PatchCore): a coreset of the good images' patch features, distances from it weighted.
 * @throws VisionError `too_few_images` without a good image, `invalid_backbone`, `cancelled`
 */
export async function fitPatchcore(input: FitInput): Promise<FitResult> {
  const { params, threads, report } = input;
  const samples = goodSamples(input);
  const options = { learnProjection: (plain: PlainTraining) => learnProjection(samples, plain) };
  return withTraining(input, samples, options, async (training) => {
    const { layout, projection, smoothing, falseAlarmRate } = training;
    const copies = await chooseCopies(training);
    const images = await extractGoodImages(training, { candidates: CANDIDATES, copies });
    report({ fraction: LEARNING, doing: say('progress.learning') });
    const neighbours = getNumber(params, 'neighbours');
    const bankOptions = { size: getNumber(params, 'bank_size'), neighbours, weighted: true, searched: true };
    const { bank, goodScores, ...good } = await learnScoredBank(images, bankOptions, training);
    const defectScores = await scoreDefects(training, () => openBankScorer(bank, { neighbours, smoothing, threads }));
    const calibration = calibrate(goodScores, defectScores, falseAlarmRate, SHARED_BY_BANK);
    const corrections = noCorrections(bank.bank.columns);
    const payload = encodePatchcore({ layout, projection, ...bank, neighbours, smoothing, corrections });
    return { payload, ...describeTraining(good, calibration, training) };
  });
}
