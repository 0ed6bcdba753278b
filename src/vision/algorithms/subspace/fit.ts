import type { InputLayout, Tiling } from '../../backbone/input-layout.ts';
import { openPatchExtractor, type PatchExtractor } from '../../backbone/patch-extractor.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { say } from '../../engine-messages.ts';
import { type Matrix, stackRows } from '../../math/matrix.ts';
import { type MatrixProduct, openMatrixProduct } from '../../onnx/open-matrix-product.ts';
import { type FitInput, type FitResult, goodSamples, imageThreads } from '../../training/fit-input.ts';
import { learnByFolds } from '../../training/learn-by-folds.ts';
import { commonLayout } from '../../training/open-patch-source.ts';
import { principalAxes } from '../../training/principal-axes.ts';
import { usesRotations } from '../../training/rotation-augmentation.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { getFlag, getNumber, getText } from '../contract/parameter-values.ts';
import { encodeSubspace } from './model.ts';
import { openResidualScorer, type Subspace } from './residual-scorer.ts';

/** Patches that the axes are learned from, over all images. */
const CANDIDATES = 12_000;

/** The first axes that hold `share` of the variance. */
function strongest(axes: Matrix, variances: Float64Array, wanted: number): Matrix {
  let sum = 0;
  let count = 0;
  while (count < axes.columns && sum < wanted) sum += variances[count++] ?? 0;
  const data = new Float32Array(axes.rows * count);
  for (let row = 0; row < axes.rows; row++)
    data.set(axes.data.subarray(row * axes.columns, row * axes.columns + count), row * count);
  return { rows: axes.rows, columns: count, data };
}

async function learnSubspace(candidates: Matrix, { params, random }: FitInput, product: MatrixProduct) {
  const { mean, axes, variances, totalVariance } = await principalAxes(
    candidates,
    getNumber(params, 'max_axes'),
    random,
    product,
  );
  const share = getNumber(params, 'explained_variance');
  return { mean, axes: strongest(axes, variances, share * totalVariance) } satisfies Subspace;
}

async function fitWith(input: FitInput, layout: InputLayout, extractor: PatchExtractor, product: MatrixProduct) {
  const { params, threads } = input;
  const smoothing = getNumber(params, 'smoothing');
  const options = {
    candidates: CANDIDATES,
    rotations: await usesRotations(input, { layout, extractor }),
    flips: getFlag(params, 'flips'),
    dropOutliers: getFlag(params, 'drop_outliers'),
    smoothing,
    falseAlarmRate: getNumber(params, 'false_alarm_rate'),
  };
  const { state, ...learned } = await learnByFolds(input, extractor, options, {
    learn: (images) => learnSubspace(stackRows(images.map(({ candidates }) => candidates)), input, product),
    openScorer: (subspace: Subspace) => openResidualScorer(subspace, smoothing, threads),
  });
  const corrections = noCorrections(state.axes.rows);
  return { ...learned, payload: encodeSubspace({ layout, smoothing, ...state, corrections }) };
}

/**
 * The principal subspace of the good images' patch features.
 * @throws VisionError `too_few_images` without a good image, `invalid_backbone`, `cancelled`
 */
export async function fitSubspace(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  throwIfCancelled(input.signal);
  input.report({ fraction: 0, doing: say('progress.images') });
  const { params, backbone, threads } = input;
  const options = {
    imageSize: getNumber(params, 'image_size'),
    tiling: getText(params, 'tiling') as Tiling,
    mostTiles: getNumber(params, 'max_tiles'),
  };
  const layout = await commonLayout(good, input, options);
  const product = await openMatrixProduct(threads);
  const extractor = await openPatchExtractor(backbone, layout, undefined, imageThreads(input, layout));
  try {
    return await fitWith(input, layout, extractor, product);
  } finally {
    await extractor.dispose();
    await product.dispose();
  }
}
