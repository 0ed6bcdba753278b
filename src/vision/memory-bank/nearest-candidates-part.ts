import { type OnnxConstant, type OnnxNode, type OnnxPart, RUNTIME_DOMAIN } from '../onnx/onnx-model.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';
import { BLOCK } from './patch-blocks.ts';
import { roughChoicePart } from './rough-choice-part.ts';

/** Of a block's mean; the others would halve the speed of the product and name the same members. */
const ROUGH_AXES = 64;

/** A memory in which each patch is compared with a few members. */
export type CandidateMemory = PatchMemory & { readonly candidates: number };

/** w²·(|q|² − 2q·b + |b|²) of each patch from the `shared` candidates of its block, [patches, candidates]. */
function sharedSquaresPart({ bank, weights, candidates }: CandidateMemory): OnnxPart {
  const { rows, columns: dims, data } = bank;
  const squares = new Float32Array(rows);
  for (let at = 0; at < data.length; at++) squares[Math.floor(at / dims)]! += data[at]! ** 2;
  const constants: OnnxConstant[] = [
    { name: 'bank_squares', dims: [rows], data: squares },
    { name: 'each_block', dims: [3], data: BigInt64Array.of(-1n, 1n, BigInt(candidates)) },
    { name: 'each_patch', dims: [2], data: BigInt64Array.of(-1n, BigInt(candidates)) },
  ];
  const product = { transB: 1, alpha: { float: -2 } };
  const lengths = { axes: [2], keepdims: 1 };
  const nodes: OnnxNode[] = [
    { op: 'Gather', inputs: ['bank', 'shared'], outputs: ['shared_members'] },
    {
      op: 'FusedMatMul',
      domain: RUNTIME_DOMAIN,
      inputs: ['blocks', 'shared_members'],
      outputs: ['products'],
      attributes: product,
    },
    { op: 'ReduceSumSquare', inputs: ['blocks'], outputs: ['patch_squares'], attributes: lengths },
    { op: 'Add', inputs: ['products', 'patch_squares'], outputs: ['partial'] },
    { op: 'Gather', inputs: ['bank_squares', 'shared'], outputs: ['shared_squares'] },
    { op: 'Reshape', inputs: ['shared_squares', 'each_block'], outputs: ['block_squares'] },
    { op: 'Add', inputs: ['partial', 'block_squares'], outputs: [weights ? 'unweighted' : 'block_distances'] },
  ];
  if (weights) {
    constants.push({ name: 'square_weights', dims: [rows], data: weights.map((weight) => weight * weight) });
    nodes.push(
      { op: 'Gather', inputs: ['square_weights', 'shared'], outputs: ['shared_weights'] },
      { op: 'Reshape', inputs: ['shared_weights', 'each_block'], outputs: ['block_weights'] },
      { op: 'Mul', inputs: ['unweighted', 'block_weights'], outputs: ['block_distances'] },
    );
  }
  nodes.push({ op: 'Reshape', inputs: ['block_distances', 'each_patch'], outputs: ['patch_distances'] });
  return { constants, nodes };
}

/**
 * Each patch's nearest members out of those that come nearest to the mean of its block: a quarter of the search, since
 * neighbouring patches see nearly the same.
 */
function blockCandidatesPart(input: string, memory: CandidateMemory, neighbours: number): OnnxPart {
  const axes = Math.min(ROUGH_AXES, memory.bank.columns);
  const rough = roughChoicePart('means', memory, memory.candidates, 'shared', axes);
  const squares = sharedSquaresPart(memory);
  const constants: OnnxConstant[] = [
    { name: 'in_blocks', dims: [3], data: BigInt64Array.of(-1n, BigInt(BLOCK), BigInt(memory.bank.columns)) },
    { name: 'patches_of_block', dims: [3], data: BigInt64Array.of(1n, BigInt(BLOCK), 1n) },
    { name: 'nearest_count', dims: [1], data: BigInt64Array.of(BigInt(neighbours)) },
  ];
  const smallest = { axis: 1, largest: 0, sorted: 0 };
  const alongRow = { axis: 1 };
  const nodes: OnnxNode[] = [
    { op: 'Reshape', inputs: [input, 'in_blocks'], outputs: ['blocks'] },
    { op: 'ReduceMean', inputs: ['blocks'], outputs: ['means'], attributes: { axes: [1], keepdims: 0 } },
    ...rough.nodes,
    ...squares.nodes,
    { op: 'TopK', inputs: ['patch_distances', 'nearest_count'], outputs: ['least_few', 'ranks'], attributes: smallest },
    { op: 'Reshape', inputs: ['shared', 'each_block'], outputs: ['of_block'] },
    { op: 'Expand', inputs: ['of_block', 'patches_of_block'], outputs: ['of_patches'] },
    { op: 'Reshape', inputs: ['of_patches', 'each_patch'], outputs: ['of_patch'] },
    { op: 'GatherElements', inputs: ['of_patch', 'ranks'], outputs: ['candidates'], attributes: alongRow },
  ];
  return { constants: [...rough.constants, ...squares.constants, ...constants], nodes };
}

/** Distances of the candidates in floats, weighted. */
function exactPart(input: string, { bank, weights }: PatchMemory): OnnxPart {
  const constants: OnnxConstant[] = [
    { name: 'bank', dims: [bank.rows, bank.columns], data: bank.data },
    { name: 'one_each', dims: [3], data: BigInt64Array.of(-1n, 1n, BigInt(bank.columns)) },
  ];
  const distances = weights ? 'plain' : 'distances';
  const nodes: OnnxNode[] = [
    { op: 'Gather', inputs: ['bank', 'candidates'], outputs: ['members'] },
    { op: 'Reshape', inputs: [input, 'one_each'], outputs: ['queries_each'] },
    { op: 'Sub', inputs: ['queries_each', 'members'], outputs: ['differences'] },
    { op: 'ReduceSumSquare', inputs: ['differences'], outputs: ['squares'], attributes: { axes: [2], keepdims: 0 } },
    { op: 'Sqrt', inputs: ['squares'], outputs: [distances] },
  ];
  if (weights) {
    constants.push({ name: 'weights', dims: [bank.rows], data: weights });
    nodes.push(
      { op: 'Gather', inputs: ['weights', 'candidates'], outputs: ['their_weights'] },
      { op: 'Mul', inputs: ['plain', 'their_weights'], outputs: ['distances'] },
    );
  }
  return { constants, nodes };
}

/**
 * Nearest neighbours among the memory's candidates, whose distances are computed exactly.
 * @param input name of the patches, [patches, dims]; block by block (`blockCells`) where the memory is searched by blocks
 * @param neighbours as many as there are candidates, at most
 * @param output name of the result, [patches]: weighted Euclidean distance, averaged over the `neighbours` nearest
 */
export function nearestCandidatesPart(
  input: string,
  memory: CandidateMemory,
  neighbours: number,
  output: string,
): OnnxPart {
  const choice = memory.byBlocks
    ? blockCandidatesPart(input, memory, neighbours)
    : roughChoicePart(input, memory, memory.candidates, 'candidates');
  const exact = exactPart(input, memory);
  const count = { name: 'neighbours', dims: [1], data: BigInt64Array.of(BigInt(neighbours)) };
  const nearest = { axis: 1, largest: 0 };
  return {
    constants: [...choice.constants, ...exact.constants, count],
    nodes: [
      ...choice.nodes,
      ...exact.nodes,
      { op: 'TopK', inputs: ['distances', 'neighbours'], outputs: ['nearest', 'places'], attributes: nearest },
      { op: 'ReduceMean', inputs: ['nearest'], outputs: [output], attributes: { axes: [1], keepdims: 0 } },
    ],
  };
}
