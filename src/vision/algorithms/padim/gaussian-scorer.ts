import { Tensor } from 'onnxruntime-node';
import { type MapScorer, type PatchMeasure, smoothedScorer } from '../../anomaly-map/map-scorer.ts';
import { say } from '../../engine-messages.ts';
import { GraphBuilder } from '../../onnx/graph-builder.ts';
import { openSession } from '../../onnx/open-session.ts';
import { VisionError } from '../../vision-error.ts';

/** A Gaussian for every cell of a grid; Σ⁻¹ = WᵀW. */
export interface GaussianGrid {
  readonly rows: number;
  readonly columns: number;
  readonly dims: number;
  /** [rows · columns, dims] */
  readonly means: Float32Array;
  /** Lower triangles of W, row by row. [rows · columns, dims · (dims + 1) / 2] */
  readonly whitening: Float32Array;
}

/** [cells, dims, dims], each W transposed, so that (x − m)·Wᵀ is one product a cell. */
function fullWhitening({ rows, columns, dims, whitening }: GaussianGrid): Float32Array {
  const full = new Float32Array(rows * columns * dims * dims);
  let from = 0;
  for (let cell = 0; cell < rows * columns; cell++)
    for (let row = 0; row < dims; row++)
      for (let column = 0; column <= row; column++) full[(cell * dims + column) * dims + row] = whitening[from++]!;
  return full;
}

function mahalanobisGraph(grid: GaussianGrid, withFeatures: boolean): Uint8Array {
  const { rows, columns, dims } = grid;
  const cells = rows * columns;
  const graph = new GraphBuilder();
  const patches = graph.input('patches', [cells, 1, dims]);
  const centred = graph.add('Sub', [patches, graph.constant(grid.means, [cells, 1, dims])]);
  const white = graph.add('MatMul', [centred, graph.constant(fullWhitening(grid), [cells, dims, dims])]);
  graph.output('distances', graph.add('ReduceL2', [white], { axes: [2], keepdims: 0 }));
  if (withFeatures) graph.output('white', white);
  return graph.encode();
}

/**
 * Mahalanobis distances from the Gaussians of the cells. What patches are compared by is how they differ from their
 * cell's mean, in deviations: the same change in a place of the same look is the same, whatever the place.
 * @param withFeatures whether anybody asks what patches are compared by
 * @throws VisionError `invalid_value` from `measure` for a grid of another shape
 */
export async function openGaussianMeasure(
  grid: GaussianGrid,
  withFeatures: boolean,
  threads = 1,
): Promise<PatchMeasure> {
  const session = await openSession(mahalanobisGraph(grid, withFeatures), threads);
  return {
    async measure({ rows, columns, patches }) {
      if (rows !== grid.rows || columns !== grid.columns)
        throw new VisionError(
          'invalid_value',
          say('model.other-grid', { columns, rows, ownColumns: grid.columns, ownRows: grid.rows }),
        );
      const tensor = new Tensor('float32', patches.data, [patches.rows, 1, patches.columns]);
      const { distances, white } = await session.run({ patches: tensor });
      const data = (white?.data ?? new Float32Array()) as Float32Array;
      const features = { rows: data.length / grid.dims, columns: grid.dims, data };
      return { rows, columns, features, distances: distances?.data as Float32Array };
    },
    dispose: () => session.release(),
  };
}

/**
 * Scores each patch by its Mahalanobis distance from the Gaussian of its cell.
 * @param smoothing standard deviation of the map's blur, in cells
 * @throws VisionError `invalid_value` from `score` for a grid of another shape
 */
export const openGaussianScorer = async (grid: GaussianGrid, smoothing: number, threads = 1): Promise<MapScorer> =>
  smoothedScorer(await openGaussianMeasure(grid, false, threads), smoothing);
