import { smoothedScorer } from '../../anomaly-map/map-scorer.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { type Matrix, stackRows } from '../../math/matrix.ts';
import { chooseCopies } from '../../training/augmentation.ts';
import { type FitInput, type FitResult, getNumber, goodSamples } from '../../training/fit-input.ts';
import { learnByFolds } from '../../training/learn-by-folds.ts';
import { principalAxes } from '../../training/principal-axes.ts';
import type { TrainingPatches } from '../../training/training-patches.ts';
import { withTraining } from '../../training/with-training.ts';
import { encodeSubspace, openResidualMeasure } from './model.ts';

/** Patches that the axes are learned from, over all images. */
const CANDIDATES = 12_000;

/** The first axes that hold the wanted variance together. */
function strongestAxes(axes: Matrix, variances: Float64Array, wanted: number): Matrix {
  let sum = 0;
  let count = 0;
  while (count < axes.columns && sum < wanted) sum += variances[count++] ?? 0;
  const data = new Float32Array(axes.rows * count);
  for (let row = 0; row < axes.rows; row++)
    data.set(axes.data.subarray(row * axes.columns, row * axes.columns + count), row * count);
  return { rows: axes.rows, columns: count, data };
}

/**
 * The principal subspace of the good images' patch features.
 * @throws VisionError `too_few_images` without a good image, `invalid_backbone`, `cancelled`
 */
export async function fitSubspace(input: FitInput): Promise<FitResult> {
  const { params, random, threads } = input;
  return withTraining(input, goodSamples(input), {}, async (training) => {
    const { layout, smoothing, product } = training;
    const most = getNumber(params, 'max_axes');
    const share = getNumber(params, 'explained_variance');
    const learn = async (images: readonly TrainingPatches[]) => {
      const candidates = stackRows(images.map((image) => image.candidates));
      const { mean, axes, variances, totalVariance } = await principalAxes(candidates, most, random, product);
      return { mean, axes: strongestAxes(axes, variances, share * totalVariance) };
    };
    const options = { candidates: CANDIDATES, copies: await chooseCopies(training) };
    const { state, ...learned } = await learnByFolds(training, options, {
      learn,
      openScorer: async (subspace) => smoothedScorer(await openResidualMeasure(subspace, false, threads), smoothing),
    });
    const corrections = noCorrections(state.axes.rows);
    return { ...learned, payload: encodeSubspace({ layout, smoothing, ...state, corrections }) };
  });
}
