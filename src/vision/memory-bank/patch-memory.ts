import type { Matrix } from '../math/matrix.ts';

/** A memory bank: what patches are compared with. */
export interface PatchMemory {
  /** [members, dims] */
  readonly bank: Matrix;
  /** What the distance from each member is multiplied by; absent: 1. [members] */
  readonly weights?: Float32Array | undefined;
  /** Members that a block of patches is compared with, found by 8-bit numbers; absent: all of them. */
  readonly shortlist?: number | undefined;
}

/** A memory bank that knows the item of each member. */
export interface OwnedBank extends PatchMemory {
  /** Item ids. [members] */
  readonly owners: readonly string[];
}

/** A network from `queries` [queries, dims] and `members` to their `distances` [queries]. */
export interface SearchGraph {
  readonly model: Uint8Array;
  /** A number for each member, usually the input `members`. */
  readonly members: Float32Array;
  /** With this number a member is never found. */
  readonly far: number;
}
