import type { Tiling } from '../../backbone/input-layout.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { say } from '../../engine-messages.ts';
import { openBankScorer } from '../../memory-bank/bank-measure.ts';
import { type MatrixProduct, openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import { calibrate, rateRemarks, scoreDefects } from '../../training/calibrate.ts';
import { extractGoodImages } from '../../training/extract-training-patches.ts';
import { type FitInput, type FitResult, goodSamples, imageThreads } from '../../training/fit-input.ts';
import { learnScoredBank } from '../../training/learn-bank.ts';
import { openPatchSource, type PatchSource } from '../../training/open-patch-source.ts';
import { LEARNING } from '../../training/progress.ts';
import { usesRotations } from '../../training/rotation-augmentation.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { getFlag, getNumber, getText } from '../contract/parameter-values.ts';
import { encodePatchcore } from './model.ts';

const AXES = 128;
/** Patches from which the memory bank is chosen: bounds time and memory for any number of images. */
const CANDIDATES = 80_000;

async function fitWith(input: FitInput, source: PatchSource, product: MatrixProduct): Promise<FitResult> {
  const { params, report } = input;
  const { layout, projection, extractor } = source;
  const neighbours = getNumber(params, 'neighbours');
  const smoothing = getNumber(params, 'smoothing');
  const dropOutliers = getFlag(params, 'drop_outliers');
  const falseAlarmRate = getNumber(params, 'false_alarm_rate');
  const images = await extractGoodImages(input, extractor, {
    candidates: CANDIDATES,
    rotations: await usesRotations(input, source),
    flips: getFlag(params, 'flips'),
    dropOutliers,
    smoothing,
  });
  report({ fraction: LEARNING, doing: say('progress.learning') });
  const { bank, kept, leftOut, doubtful, goodScores } = await learnScoredBank(
    images,
    { size: getNumber(params, 'bank_size'), neighbours, weighted: true, searched: true, dropOutliers },
    { neighbours, smoothing, threads: imageThreads(input, layout) },
    input,
    product,
    extractor,
  );
  const defectScores = await scoreDefects(input, extractor, () =>
    openBankScorer(bank, { neighbours, smoothing, threads: input.threads ?? 1 }),
  );
  const corrections = noCorrections(bank.bank.columns);
  return {
    payload: encodePatchcore({ layout, projection, ...bank, neighbours, smoothing, corrections }),
    calibration: calibrate(goodScores, defectScores, falseAlarmRate),
    leftOut,
    doubtful,
    remarks: rateRemarks(kept, goodScores, falseAlarmRate),
  };
}

/**
 * Roth et al. 2022 (PatchCore): a coreset of the good images' patch features, distances from it weighted.
 * @throws VisionError `too_few_images` without a good image, `invalid_backbone`, `cancelled`
 */
export async function fitPatchcore(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  throwIfCancelled(input.signal);
  input.report({ fraction: 0, doing: say('progress.images') });
  const product = await openMatrixProduct(imageThreads(input));
  try {
    const options = {
      imageSize: getNumber(input.params, 'image_size'),
      tiling: getText(input.params, 'tiling') as Tiling,
      mostTiles: getNumber(input.params, 'max_tiles'),
      axes: AXES,
    };
    const source = await openPatchSource(good, input, options, product);
    try {
      return await fitWith(input, source, product);
    } finally {
      await source.extractor.dispose();
    }
  } finally {
    await product.dispose();
  }
}
