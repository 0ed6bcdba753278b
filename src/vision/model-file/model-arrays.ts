import { say } from '../engine-messages.ts';
import type { Matrix } from '../math/matrix.ts';
import { VisionError } from '../vision-error.ts';
import type { ContainerContent } from './binary-container.ts';

/** Reads the arrays of a model, each of the length that its header gives. */
export interface ModelArrays {
  /** @throws VisionError `invalid_model` where it is missing, empty, or of another length */
  vector(name: string, length: number): Float32Array;
  /** Undefined where it is missing. @throws VisionError `invalid_model` where it is empty, or of another length */
  findVector(name: string, length: number): Float32Array | undefined;
  /** @throws VisionError `invalid_model` */
  matrix(name: string, rows: number, columns: number): Matrix;
}

export function modelArrays(arrays: ContainerContent['arrays']): ModelArrays {
  const vector = (name: string, length: number): Float32Array => {
    const found = arrays[name];
    if (found instanceof Float32Array && found.length === length && length > 0) return found;
    throw new VisionError('invalid_model', say('model.damaged', { part: name }));
  };
  return {
    vector,
    findVector: (name, length) => (arrays[name] === undefined ? undefined : vector(name, length)),
    matrix: (name, rows, columns) => ({ rows, columns, data: vector(name, rows * columns) }),
  };
}
