import type { Algorithm } from '../types.ts';
import { padim } from './padim/padim.ts';
import { patchcore } from './patchcore/patchcore.ts';
import { subspace } from './subspace/subspace.ts';

/** Every algorithm that a user can train. */
export const algorithms: readonly Algorithm[] = [patchcore, padim, subspace];

export const findAlgorithm = (id: string): Algorithm | undefined => algorithms.find((algorithm) => algorithm.id === id);
