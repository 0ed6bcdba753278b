import type { Matrix } from '../math/matrix.ts';
import type { OnnxConstant, OnnxNode, OnnxPart, OnnxValue } from '../onnx/onnx-model.ts';

export const levelInput = (level: number): string => `level_${level}`;

/** Inputs of a graph that begins with {@link patchPart}: one feature map a level, fine to coarse. */
export function levelInputs(channels: readonly number[]): OnnxValue[] {
  return channels.map((count, level) => ({
    name: levelInput(level),
    dims: [1, count, `rows_${level}`, `columns_${level}`],
  }));
}

function upsampleNodes(from: string, to: string, level: number): OnnxNode[] {
  const sizes = `sizes_${level}`;
  return [
    { op: 'Shape', inputs: [from], outputs: [`shape_${level}`] },
    { op: 'Slice', inputs: [`shape_${level}`, 'from_0', 'from_2'], outputs: [`batch_${level}`] },
    { op: 'Concat', inputs: [`batch_${level}`, 'grid'], outputs: [sizes], attributes: { axis: 0 } },
    { op: 'Resize', inputs: [from, '', '', sizes], outputs: [to], attributes: { mode: 'linear' } },
  ];
}

const POOL = { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [1, 1], count_include_pad: 1 };

const SIZES: readonly OnnxConstant[] = [
  { name: 'from_0', dims: [1], data: BigInt64Array.of(0n) },
  { name: 'from_2', dims: [1], data: BigInt64Array.of(2n) },
  { name: 'from_4', dims: [1], data: BigInt64Array.of(4n) },
];
const GRID: readonly OnnxNode[] = [
  { op: 'Shape', inputs: [levelInput(0)], outputs: ['finest'] },
  { op: 'Slice', inputs: ['finest', 'from_2', 'from_4'], outputs: ['grid'] },
];

/** Turns (1, dims, rows, columns) into [patches, dims]. */
function rowsPart(from: string, dims: number, output: string): OnnxPart {
  return {
    constants: [{ name: 'patch_shape', dims: [2], data: BigInt64Array.of(BigInt(dims), -1n) }],
    nodes: [
      { op: 'Reshape', inputs: [from, 'patch_shape'], outputs: ['by_dimension'] },
      { op: 'Transpose', inputs: ['by_dimension'], outputs: [output], attributes: { perm: [1, 0] } },
    ],
  };
}

/**
 * Patch features after Roth et al. 2022 (PatchCore): each level averaged over 3×3 neighbours, coarser levels brought
 * to the finest one's grid, levels side by side.
 * @param output name of the result, [patches, dims], patches in rows from top to bottom
 */
export function patchPart(channels: readonly number[], output: string): OnnxPart {
  const nodes: OnnxNode[] = [];
  const aligned = channels.map((_, level) => {
    const pooled = `pooled_${level}`;
    nodes.push({ op: 'AveragePool', inputs: [levelInput(level)], outputs: [pooled], attributes: POOL });
    if (level === 0) return pooled;
    nodes.push(...upsampleNodes(pooled, `aligned_${level}`, level));
    return `aligned_${level}`;
  });
  const dims = channels.reduce((sum, count) => sum + count, 0);
  const rows = rowsPart('levels', dims, output);
  const joined: OnnxNode = { op: 'Concat', inputs: aligned, outputs: ['levels'], attributes: { axis: 1 } };
  return { constants: [...SIZES, ...rows.constants], nodes: [...GRID, ...nodes, joined, ...rows.nodes] };
}

/** The projection's rows from `start`, as the weights of a 1×1 convolution. */
function levelWeights({ columns, data }: Matrix, start: number, count: number, level: number): OnnxConstant {
  const weights = new Float32Array(columns * count);
  for (let axis = 0; axis < columns; axis++)
    for (let channel = 0; channel < count; channel++)
      weights[axis * count + channel] = data[(start + channel) * columns + axis]!;
  return { name: `weights_${level}`, dims: [columns, count, 1, 1], data: weights };
}

/**
 * The same patches times a projection. All steps are linear, so that each level is projected first, where it has the
 * fewest cells, and the rest works on the few axes instead of all channels.
 * @param projection [dims, axes] @param output name of the result, [patches, axes]
 */
export function projectedPatchPart(channels: readonly number[], projection: Matrix, output: string): OnnxPart {
  const constants: OnnxConstant[] = [];
  const nodes: OnnxNode[] = [];
  let start = 0;
  const aligned = channels.map((count, level) => {
    constants.push(levelWeights(projection, start, count, level));
    start += count;
    const [projected, pooled] = [`projected_${level}`, `pooled_${level}`];
    nodes.push(
      { op: 'Conv', inputs: [levelInput(level), `weights_${level}`], outputs: [projected] },
      { op: 'AveragePool', inputs: [projected], outputs: [pooled], attributes: POOL },
    );
    if (level === 0) return pooled;
    nodes.push(...upsampleNodes(pooled, `aligned_${level}`, level));
    return `aligned_${level}`;
  });
  const rows = rowsPart('axes', projection.columns, output);
  const sum: OnnxNode = { op: 'Sum', inputs: aligned, outputs: ['axes'] };
  return { constants: [...SIZES, ...constants, ...rows.constants], nodes: [...GRID, ...nodes, sum, ...rows.nodes] };
}
