import type { PatchFeatures } from '../backbone/patch-extractor.ts';

/**
 * The patch features of an image in half of their memory: 16-bit whole numbers times a step. A value is off by half a
 * step at most, a 65,534th part of the map's largest value.
 */
export interface FeatureMap16 {
  readonly rows: number;
  readonly columns: number;
  /** Dimensions of a patch. */
  readonly dims: number;
  readonly step: number;
  /** [rows · columns, dims] */
  readonly steps: Int16Array;
}

const MOST_STEPS = 32_767;

/** A value that is not a number makes the whole map NaN, rather than a patch that looks like any other. */
export function packFeatures({ rows, columns, patches }: PatchFeatures): FeatureMap16 {
  const { data } = patches;
  let largest = 0;
  for (let i = 0; i < data.length; i++) largest = Math.max(largest, Math.abs(data[i]!));
  const step = largest === 0 ? 1 : largest / MOST_STEPS;
  const steps = new Int16Array(data.length);
  for (let i = 0; i < data.length; i++) steps[i] = Math.round(data[i]! / step);
  return { rows, columns, dims: patches.columns, step, steps };
}

export function unpackFeatures({ rows, columns, dims, step, steps }: FeatureMap16): PatchFeatures {
  const data = new Float32Array(steps.length);
  for (let i = 0; i < steps.length; i++) data[i] = steps[i]! * step;
  return { rows, columns, patches: { rows: rows * columns, columns: dims, data } };
}
