import { say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
import type { SessionThreads } from '../onnx/session-threads.ts';
import type { BackboneFile, Calibration, NamedSample, ParameterValues, Random, TrainingSample } from '../types.ts';
import { VisionError } from '../vision-error.ts';

/** `fraction` is 0 to 1 over the whole training. */
export interface FitProgress {
  readonly fraction: number;
  readonly doing: Message;
}

export interface FitInput {
  readonly samples: readonly TrainingSample[];
  readonly params: ParameterValues;
  readonly random: Random;
  /** The network's ONNX bytes and its description. */
  readonly backbone: BackboneFile;
  /** Threads of one network or search, 1 where absent; results are the same for any number. */
  readonly threads?: number;
  /** Threads beside the main one, for a network that learns; results are the same with and without. */
  readonly sideBySide?: SessionThreads;
  readonly signal: AbortSignal;
  report(progress: FitProgress): void;
}

export interface FitResult {
  /** The algorithm's own trained state, encoded by its codec (magic, version, checksum). */
  readonly payload: Uint8Array;
  readonly calibration: Calibration;
  /** Good samples that were dropped as outliers. */
  readonly outliers: readonly NamedSample[];
  /** Good samples that differ more than most do, and were learned from nevertheless. */
  readonly doubtful: readonly NamedSample[];
  /** For `status_text`: warnings and remarks to a person. */
  readonly remarks: readonly Message[];
}

/** @throws VisionError `too_few_images` without any */
export function goodSamples({ samples }: FitInput): TrainingSample[] {
  const good = samples.filter((sample) => sample.good);
  if (good.length > 0) return good;
  throw new VisionError('too_few_images', say('training.no-good-image'));
}

function wrongType(name: string, value: unknown, type: 'type.number' | 'type.boolean'): VisionError {
  const values = { name, received: String(value), type: say(type) };
  return new VisionError('invalid_value', say('parameter.wrong-type', values));
}

/** @throws VisionError `invalid_value` where the parameter is missing or of another type. */
export function getNumber(values: ParameterValues, name: string): number {
  const value = values[name];
  if (typeof value === 'number') return value;
  throw wrongType(name, value, 'type.number');
}

/** Errors as those of {@link getNumber}. */
export function getFlag(values: ParameterValues, name: string): boolean {
  const value = values[name];
  if (typeof value === 'boolean') return value;
  throw wrongType(name, value, 'type.boolean');
}

/** Fractions of the whole training at which its steps begin. */
export const FEATURES = 0.1;
export const LEARNING = 0.7;
export const OUTLIERS = 0.76;
export const SCORING = 0.82;
