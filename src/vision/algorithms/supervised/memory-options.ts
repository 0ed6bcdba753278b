import type { Tiling } from '../../backbone/input-layout.ts';
import type { BankScoring } from '../../memory-bank/bank-measure.ts';
import { type MatrixProduct, openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import type { FitInput } from '../../training/fit-input.ts';
import type { BankOptions } from '../../training/learn-bank.ts';
import { openPatchSource, type PatchSource } from '../../training/open-patch-source.ts';
import type { TrainingSample } from '../../types.ts';
import { getFlag, getNumber, getText } from '../contract/parameter-values.ts';

/** How a memory bank of good patches is learned beside learned classes, and how it scores. */
export interface MemoryOptions {
  readonly bank: BankOptions & { readonly dropOutliers: boolean };
  readonly scoring: BankScoring;
  readonly smoothing: number;
  readonly dropOutliers: boolean;
  readonly falseAlarmRate: number;
}

export function memoryOptions(
  { params, threads }: FitInput,
  { weighted }: Pick<BankOptions, 'weighted'>,
): MemoryOptions {
  const smoothing = getNumber(params, 'smoothing');
  const dropOutliers = getFlag(params, 'drop_outliers');
  return {
    bank: { size: getNumber(params, 'bank_size'), neighbours: 1, weighted, searched: false, dropOutliers },
    scoring: { neighbours: 1, smoothing, threads: threads ?? 1 },
    smoothing,
    dropOutliers,
    falseAlarmRate: getNumber(params, 'false_alarm_rate'),
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
