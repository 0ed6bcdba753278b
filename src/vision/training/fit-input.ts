import type { SessionThreads } from '../onnx/session-threads.ts';
import type { BackboneFile, Calibration, ParameterValues, Random, TrainingSample } from '../types.ts';

/** What training reports while it runs. `fraction` is 0 to 1 over the whole training. */
export interface FitProgress {
  readonly fraction: number;
  readonly text: string;
}

export interface FitInput {
  readonly samples: readonly TrainingSample[];
  readonly params: ParameterValues;
  readonly random: Random;
  /** The network's ONNX bytes and its description. */
  readonly backbone: BackboneFile;
  /** Threads of a network or search while training, 1 where absent; results are the same for any number. */
  readonly threads?: number;
  /** Threads that work on an image each while training on many; results are the same with and without. */
  readonly sideBySide?: SessionThreads;
  readonly signal: AbortSignal;
  report(progress: FitProgress): void;
}

export interface FitResult {
  /** The algorithm's own trained state, encoded by its codec (magic, version, checksum). */
  readonly payload: Uint8Array;
  readonly calibration: Calibration;
  /** Names of good samples left out as outliers. */
  readonly leftOut: readonly string[];
  /** Names of good samples that differ from the others more than most do, and were learned from nevertheless. */
  readonly doubtful: readonly string[];
  /** Sentences for `status_text`, each a warning or remark to a person. */
  readonly remarks: readonly string[];
}
