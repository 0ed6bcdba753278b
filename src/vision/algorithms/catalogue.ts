import type { Algorithm } from '../types.ts';
import { patchcore } from './patchcore/patchcore.ts';

/** Every algorithm that a user can train. */
export const algorithms: readonly Algorithm[] = [patchcore];

export const findAlgorithm = (id: string): Algorithm | undefined => algorithms.find((algorithm) => algorithm.id === id);
