import {
  integerConstant,
  type OnnxConstant,
  type OnnxNode,
  type OnnxPart,
  RUNTIME_DOMAIN,
} from '../onnx/onnx-model.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';
import { BLOCK } from './patch-blocks.ts';
import { shortlistPart } from './shortlist-part.ts';

/** Axes of a block's mean that choose its shortlist; more would halve the speed of the product for the same members. */
const SHORTLIST_AXES = 64;

/** A memory bank in which each block of patches is compared with a shortlist of members. */
export type ShortlistMemory = PatchMemory & { readonly shortlist: number };

/** w²·(|q|² − 2q·b + |b|²) of each patch to the shortlist of its block, [patches, shortlist]. */
function blockDistancesPart({ bank, weights, shortlist }: ShortlistMemory): OnnxPart {
  const { rows, columns: dims, data } = bank;
  const squares = new Float32Array(rows);
  for (let at = 0; at < data.length; at++) squares[Math.floor(at / dims)]! += data[at]! ** 2;
  const constants: OnnxConstant[] = [
    { name: 'bank_squares', dims: [rows], data: squares },
    integerConstant('each_block', -1, 1, shortlist),
    integerConstant('each_patch', -1, shortlist),
  ];
  const product = { transB: 1, alpha: { float: -2 } };
  const lengths = { axes: [2], keepdims: 1 };
  const fused = { op: 'FusedMatMul', domain: RUNTIME_DOMAIN } as const;
  const nodes: OnnxNode[] = [
    { op: 'Gather', inputs: ['bank', 'shortlist'], outputs: ['listed_members'] },
    { ...fused, inputs: ['blocks', 'listed_members'], outputs: ['products'], attributes: product },
    { op: 'ReduceSumSquare', inputs: ['blocks'], outputs: ['patch_squares'], attributes: lengths },
    { op: 'Add', inputs: ['products', 'patch_squares'], outputs: ['partial'] },
    { op: 'Gather', inputs: ['bank_squares', 'shortlist'], outputs: ['listed_squares'] },
    { op: 'Reshape', inputs: ['listed_squares', 'each_block'], outputs: ['block_squares'] },
    { op: 'Add', inputs: ['partial', 'block_squares'], outputs: [weights ? 'unweighted' : 'block_distances'] },
  ];
  if (weights) {
    constants.push({ name: 'square_weights', dims: [rows], data: weights.map((weight) => weight * weight) });
    nodes.push(
      { op: 'Gather', inputs: ['square_weights', 'shortlist'], outputs: ['listed_weights'] },
      { op: 'Reshape', inputs: ['listed_weights', 'each_block'], outputs: ['block_weights'] },
      { op: 'Mul', inputs: ['unweighted', 'block_weights'], outputs: ['block_distances'] },
    );
  }
  nodes.push({ op: 'Reshape', inputs: ['block_distances', 'each_patch'], outputs: ['patch_distances'] });
  return { constants, nodes };
}

/** The distances of the `nearest_members` of each patch, [patches, neighbours], from the differences themselves. */
function exactDistancesPart(input: string, { bank, weights }: PatchMemory): OnnxPart {
  const constants: OnnxConstant[] = [
    { name: 'bank', dims: [bank.rows, bank.columns], data: bank.data },
    integerConstant('one_each', -1, 1, bank.columns),
  ];
  const distances = weights ? 'plain' : 'distances';
  const nodes: OnnxNode[] = [
    { op: 'Gather', inputs: ['bank', 'nearest_members'], outputs: ['members'] },
    { op: 'Reshape', inputs: [input, 'one_each'], outputs: ['patch_each'] },
    { op: 'Sub', inputs: ['patch_each', 'members'], outputs: ['differences'] },
    { op: 'ReduceSumSquare', inputs: ['differences'], outputs: ['squares'], attributes: { axes: [2], keepdims: 0 } },
    { op: 'Sqrt', inputs: ['squares'], outputs: [distances] },
  ];
  if (weights) {
    constants.push({ name: 'weights', dims: [bank.rows], data: weights });
    nodes.push(
      { op: 'Gather', inputs: ['weights', 'nearest_members'], outputs: ['their_weights'] },
      { op: 'Mul', inputs: ['plain', 'their_weights'], outputs: ['distances'] },
    );
  }
  return { constants, nodes };
}

/**
 * Approximate nearest neighbours. Neighbouring patches see nearly the same, so that the members nearest to the mean of a
 * block of patches, by numbers of 8 bits, are a shortlist for each of them. A product of floats picks each patch's
 * nearest members from it, and only their distances are computed exactly.
 * @param input name of the patches, [patches, dims], block by block (`blockCells`)
 * @param neighbours as many as the shortlist is long, at most
 * @param output name of the result, [patches]: weighted Euclidean distance, averaged over the `neighbours` nearest
 */
export function blockSearchPart(input: string, memory: ShortlistMemory, neighbours: number, output: string): OnnxPart {
  const { columns: dims } = memory.bank;
  const shortlist = shortlistPart('means', memory, memory.shortlist, 'shortlist', Math.min(SHORTLIST_AXES, dims));
  const blockDistances = blockDistancesPart(memory);
  const exact = exactDistancesPart(input, memory);
  const constants = [
    integerConstant('in_blocks', -1, BLOCK, dims),
    integerConstant('patches_of_block', 1, BLOCK, 1),
    integerConstant('neighbours', neighbours),
  ];
  const smallest = { axis: 1, largest: 0, sorted: 0 };
  const sorted = { axis: 1, largest: 0 };
  const alongRow = { axis: 1 };
  return {
    constants: [...shortlist.constants, ...blockDistances.constants, ...constants, ...exact.constants],
    nodes: [
      { op: 'Reshape', inputs: [input, 'in_blocks'], outputs: ['blocks'] },
      { op: 'ReduceMean', inputs: ['blocks'], outputs: ['means'], attributes: { axes: [1], keepdims: 0 } },
      ...shortlist.nodes,
      ...blockDistances.nodes,
      { op: 'TopK', inputs: ['patch_distances', 'neighbours'], outputs: ['least_few', 'ranks'], attributes: smallest },
      { op: 'Reshape', inputs: ['shortlist', 'each_block'], outputs: ['of_block'] },
      { op: 'Expand', inputs: ['of_block', 'patches_of_block'], outputs: ['of_patches'] },
      { op: 'Reshape', inputs: ['of_patches', 'each_patch'], outputs: ['of_patch'] },
      { op: 'GatherElements', inputs: ['of_patch', 'ranks'], outputs: ['nearest_members'], attributes: alongRow },
      ...exact.nodes,
      // Sorted, so that the mean adds up in one order.
      { op: 'TopK', inputs: ['distances', 'neighbours'], outputs: ['nearest', 'places'], attributes: sorted },
      { op: 'ReduceMean', inputs: ['nearest'], outputs: [output], attributes: { axes: [1], keepdims: 0 } },
    ],
  };
}
