import type { PatchFeatures } from '../backbone/patch-extractor.ts';

/**
 * All patches of an image in half of their memory: whole numbers of a step. A value is off by half a step at most, a
 * 65,534th part of the grid's largest; distances between patches move by some hundred-thousandths.
 */
export interface KeptGrid {
  readonly rows: number;
  readonly columns: number;
  /** Of a patch. */
  readonly dims: number;
  readonly step: number;
  /** [rows · columns, dims] */
  readonly steps: Int16Array;
}

const MOST_STEPS = 32_767;

/**
 * What is no number makes all of the grid so, instead of one that looks like any other.
 * @param room where the grid is to lie; a smaller one is left alone
 */
export function keepGrid({ rows, columns, patches }: PatchFeatures, room?: Int16Array): KeptGrid {
  const { data } = patches;
  let largest = 0;
  for (let i = 0; i < data.length; i++) largest = Math.max(largest, Math.abs(data[i]!));
  const step = largest === 0 ? 1 : largest / MOST_STEPS;
  const steps = room && room.length >= data.length ? room.subarray(0, data.length) : new Int16Array(data.length);
  for (let i = 0; i < data.length; i++) steps[i] = Math.round(data[i]! / step);
  return { rows, columns, dims: patches.columns, step, steps };
}

/** The patches as they were, but for half a step. */
export function patchesOf({ rows, columns, dims, step, steps }: KeptGrid): PatchFeatures {
  const data = new Float32Array(steps.length);
  for (let i = 0; i < steps.length; i++) data[i] = steps[i]! * step;
  return { rows, columns, patches: { rows: rows * columns, columns: dims, data } };
}
