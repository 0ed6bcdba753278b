import type { Matrix } from '../math/matrix.ts';
import { GraphBuilder } from '../onnx/graph-builder.ts';

export const levelInput = (level: number): string => `level_${level}`;

const POOL = { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [1, 1], count_include_pad: 1 };

/** Rows of the projection from `start`, as the weights of a 1×1 convolution. [axes, count] */
function convolutionWeights({ columns, data }: Matrix, start: number, count: number): Float32Array {
  const weights = new Float32Array(columns * count);
  for (let axis = 0; axis < columns; axis++)
    for (let channel = 0; channel < count; channel++)
      weights[axis * count + channel] = data[(start + channel) * columns + axis]!;
  return weights;
}

/**
 * Patch features after Roth et al. 2022 (PatchCore): each level averaged over 3×3 neighbours, coarser levels brought to
 * the grid of the finest one, levels side by side. The graph takes one feature map a level (`levelInput`), fine to
 * coarse, (1, channels, rows, columns), and gives `patches`, [patches, dims], in rows from top to bottom.
 * @param channels of each level
 * @param projection [dims, axes], multiplied with every patch. All steps are linear: each level is projected first,
 *   where it has the fewest cells, and the rest works on the axes instead of all channels.
 */
export function patchGraph(channels: readonly number[], projection?: Matrix): Uint8Array {
  const graph = new GraphBuilder();
  const levels = channels.map((count, level) =>
    graph.input(levelInput(level), [1, count, `rows_${level}`, `columns_${level}`]),
  );
  const zero = graph.integers(0);
  const two = graph.integers(2);
  const grid = graph.add('Slice', [graph.add('Shape', [levels[0]]), two, graph.integers(4)]);
  let dims = 0;
  const aligned = levels.map((level, index) => {
    const count = channels[index]!;
    const weights = projection && convolutionWeights(projection, dims, count);
    const projected =
      projection && weights
        ? graph.add('Conv', [level, graph.constant(weights, [projection.columns, count, 1, 1])])
        : level;
    dims += count;
    const pooled = graph.add('AveragePool', [projected], POOL);
    if (index === 0) return pooled;
    const batch = graph.add('Slice', [graph.add('Shape', [pooled]), zero, two]);
    const sizes = graph.add('Concat', [batch, grid], { axis: 0 });
    return graph.add('Resize', [pooled, undefined, undefined, sizes], { mode: 'linear' });
  });
  const joined = projection ? graph.add('Sum', aligned) : graph.add('Concat', aligned, { axis: 1 });
  const byDimension = graph.add('Reshape', [joined, graph.integers(projection?.columns ?? dims, -1)]);
  graph.output('patches', graph.add('Transpose', [byDimension], { perm: [1, 0] }));
  return graph.encode();
}
