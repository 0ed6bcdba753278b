import { say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
import type { PreprocessingStep } from '../types.ts';
import { VisionError } from '../vision-error.ts';
import type { StepDefinition } from './step.ts';
import { align } from './steps/align.ts';
import { crop } from './steps/crop.ts';
import { denoise } from './steps/denoise.ts';
import { equalize } from './steps/equalize.ts';
import { gamma } from './steps/gamma.ts';
import { grayscale } from './steps/grayscale.ts';
import { mask } from './steps/mask.ts';
import { resize } from './steps/resize.ts';
import { rotate } from './steps/rotate.ts';
import { sharpen } from './steps/sharpen.ts';
import { whiteBalance } from './steps/white-balance.ts';

/** All preprocessing steps, in the order in which people are shown them. */
export const steps: readonly StepDefinition[] = [
  crop,
  mask,
  resize,
  rotate,
  align,
  grayscale,
  equalize,
  denoise,
  sharpen,
  gamma,
  whiteBalance,
];

export function findStep(name: string): StepDefinition | undefined {
  return steps.find((step) => step.name === name);
}

/** @throws VisionError `invalid_value` for a name that no step has. */
export function getStep(name: string): StepDefinition {
  const step = findStep(name);
  if (!step) throw new VisionError('invalid_value', unknownStep(name));
  return step;
}

export function unknownStep(name: string): Message {
  return say('step.unknown', { name, known: steps.map((step) => step.name) });
}

/** Keys of all reference images that the steps need, each once. */
export function findReferences(steps: readonly PreprocessingStep[]): string[] {
  return [...new Set(steps.flatMap(({ name, config }) => getStep(name).references(config)))];
}
