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

/**
 * Patch features after Roth et al. 2022 (PatchCore): each level averaged over 3×3 neighbours, coarser levels brought
 * to the finest one's grid, levels side by side.
 * @param output name of the result, [patches, dims], patches in rows from top to bottom
 */
export function patchPart(channels: readonly number[], output: string): OnnxPart {
  const dims = channels.reduce((sum, count) => sum + count, 0);
  const constants: OnnxConstant[] = [
    { name: 'from_0', dims: [1], data: BigInt64Array.of(0n) },
    { name: 'from_2', dims: [1], data: BigInt64Array.of(2n) },
    { name: 'from_4', dims: [1], data: BigInt64Array.of(4n) },
    { name: 'patch_shape', dims: [2], data: BigInt64Array.of(BigInt(dims), -1n) },
  ];
  const nodes: OnnxNode[] = [
    { op: 'Shape', inputs: [levelInput(0)], outputs: ['finest'] },
    { op: 'Slice', inputs: ['finest', 'from_2', 'from_4'], outputs: ['grid'] },
  ];
  const aligned = channels.map((_, level) => {
    const pooled = `pooled_${level}`;
    const attributes = { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [1, 1], count_include_pad: 1 };
    nodes.push({ op: 'AveragePool', inputs: [levelInput(level)], outputs: [pooled], attributes });
    if (level === 0) return pooled;
    nodes.push(...upsampleNodes(pooled, `aligned_${level}`, level));
    return `aligned_${level}`;
  });
  nodes.push(
    { op: 'Concat', inputs: aligned, outputs: ['levels'], attributes: { axis: 1 } },
    { op: 'Reshape', inputs: ['levels', 'patch_shape'], outputs: ['by_dimension'] },
    { op: 'Transpose', inputs: ['by_dimension'], outputs: [output], attributes: { perm: [1, 0] } },
  );
  return { nodes, constants };
}
