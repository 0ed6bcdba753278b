import type { Algorithm } from './contract/algorithm.ts';
import { defectClassifier } from './defect-classifier/defect-classifier.ts';
import { defectDetector } from './defect-detector/defect-detector.ts';
import { padim } from './padim/padim.ts';
import { patchcore } from './patchcore/patchcore.ts';
import { subspace } from './subspace/subspace.ts';

/** Every algorithm that a user can train. */
export const algorithms: readonly Algorithm[] = [patchcore, padim, subspace, defectClassifier, defectDetector];

export const findAlgorithm = (id: string): Algorithm | undefined => algorithms.find((algorithm) => algorithm.id === id);
