import type { FuzzTarget } from './fuzz-target.ts';
import { imageTargets } from './image-targets.ts';
import { modelTargets } from './model-targets.ts';
import { requestTargets } from './request-targets.ts';

/** Every parser of ours that reads what comes from outside. */
export const fuzzTargets: readonly FuzzTarget[] = [...imageTargets, ...modelTargets, ...requestTargets];
