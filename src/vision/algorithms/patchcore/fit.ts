import type { Tiling } from '../../backbone/input-layout.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { openBankScorer, openLeftOutScorer } from '../../memory-bank/bank-scorer.ts';
import { type MatrixProduct, openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import type { FitInput, FitResult } from '../../training/fit-input.ts';
import { imageThreads } from '../../training/image-threads.ts';
import { learnSearchedBank } from '../../training/learn-bank.ts';
import { goodSamples, learnGoodImages } from '../../training/learn-good-images.ts';
import { learnsTurned } from '../../training/learns-turned.ts';
import { openPatchSource, type PatchSource } from '../../training/open-patch-source.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { getFlag, getNumber, getText } from '../contract/parameter-values.ts';
import { encodePatchcore } from './codec.ts';

const AXES = 128;
/** Patches from which the memory is chosen: bounds time and memory, whatever the number of images. */
const CANDIDATES = 80_000;

async function fitWith(input: FitInput, { layout, projection, extractor }: PatchSource, product: MatrixProduct) {
  const { params, threads } = input;
  const scoring = { neighbours: getNumber(params, 'neighbours'), smoothing: getNumber(params, 'smoothing') };
  const { state, ...learned } = await learnGoodImages(input, {
    extractor,
    candidates: CANDIDATES,
    rotations: await learnsTurned(input, { layout, extractor }),
    flips: getFlag(params, 'flips'),
    dropOutliers: getFlag(params, 'drop_outliers'),
    smoothing: scoring.smoothing,
    falseAlarmRate: getNumber(params, 'false_alarm_rate'),
    learn: (images) => learnSearchedBank(images, getNumber(params, 'bank_size'), scoring.neighbours, input, product),
    openScorer: (owned) => openBankScorer(owned, { ...scoring, threads: threads ?? 1 }),
    openLeftOut: (owned) => openLeftOutScorer(owned, { ...scoring, threads: imageThreads(input, layout) }),
  });
  const corrections = noCorrections(state.bank.columns);
  return { ...learned, payload: encodePatchcore({ layout, projection, ...state, ...scoring, corrections }) };
}

/**
 * Roth et al. 2022 (PatchCore): a coreset of the good images' patch features, distances from it weighted.
 * @throws VisionError `too_few_images` without a good image, `invalid_backbone`, `cancelled`
 */
export async function fitPatchcore(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  throwIfCancelled(input.signal);
  input.report({ fraction: 0, text: 'looking at the images' });
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
