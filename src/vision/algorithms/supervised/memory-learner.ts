import type { Tiling } from '../../backbone/input-layout.ts';
import type { PatchExtractor } from '../../backbone/patch-extractor.ts';
import { openBankScorer, openLeftOutScorer } from '../../memory-bank/bank-scorer.ts';
import type { OwnedBank } from '../../memory-bank/open-left-out-bank.ts';
import { type MatrixProduct, openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import type { FitInput } from '../../training/fit-input.ts';
import { imageThreads } from '../../training/image-threads.ts';
import type { learnOwnedBank } from '../../training/learn-bank.ts';
import type { GoodLearner } from '../../training/learn-good-images.ts';
import { openPatchSource, type PatchSource } from '../../training/open-patch-source.ts';
import type { TrainingSample } from '../../types.ts';
import { getFlag, getNumber, getText } from '../contract/parameter-values.ts';

export interface MemoryLearning extends Pick<GoodLearner<OwnedBank>, 'candidates' | 'rotations'> {
  readonly learnBank: typeof learnOwnedBank;
}

/** A memory of good patches beside learned classes, with one neighbour. */
export function memoryLearner(
  input: FitInput,
  extractor: PatchExtractor,
  product: MatrixProduct,
  { candidates, rotations, learnBank }: MemoryLearning,
): GoodLearner<OwnedBank> {
  const { params, threads } = input;
  const scoring = { neighbours: 1, smoothing: getNumber(params, 'smoothing'), threads: threads ?? 1 };
  return {
    extractor,
    candidates,
    rotations,
    flips: false,
    dropOutliers: getFlag(params, 'drop_outliers'),
    smoothing: scoring.smoothing,
    falseAlarmRate: getNumber(params, 'false_alarm_rate'),
    learn: (images) => learnBank(images, getNumber(params, 'bank_size'), input, product),
    openScorer: (owned) => openBankScorer(owned, scoring),
    openLeftOut: (owned) => openLeftOutScorer(owned, { ...scoring, threads: imageThreads(input) }),
  };
}

/**
 * Hands `use` the features of the samples, on so many principal axes of them, and closes what it opened.
 * @param imageSize side of the network's input in pixels
 */
export async function withPatchSource<Result>(
  samples: readonly TrainingSample[],
  input: FitInput,
  options: { readonly imageSize: number; readonly axes: number },
  use: (source: PatchSource, product: MatrixProduct) => Promise<Result>,
): Promise<Result> {
  const tiling = getText(input.params, 'tiling') as Tiling;
  const product = await openMatrixProduct(input.threads);
  try {
    const source = await openPatchSource(samples, input, { ...options, tiling }, product);
    try {
      return await use(source, product);
    } finally {
      await source.extractor.dispose();
    }
  } finally {
    await product.dispose();
  }
}
