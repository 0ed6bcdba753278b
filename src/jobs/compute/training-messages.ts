import type { Message } from '../../messages/message.ts';
import type { VerdictOptions } from '../../vision/inspection/open-inspector.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import type { ProjectedStatistics } from '../../vision/training/train-model.ts';
import type {
  BackboneFile,
  Calibration,
  LabelledRegion,
  ParameterValues,
  PreprocessingStep,
} from '../../vision/types.ts';
import type { StepReferences } from './messages.ts';
import type { RemoteError } from './remote-error.ts';

/** What is known of a training image before its bytes are fetched. */
export interface TrainingImage {
  readonly itemId: string;
  readonly name: string;
  readonly good: boolean;
  readonly regions: readonly LabelledRegion[];
  /** The same for the same file, and for no other; absent: not known. */
  readonly content?: string;
}

export interface TrainOrder {
  readonly kind: 'train';
  readonly algorithmId: string;
  readonly parameterValues: ParameterValues;
  readonly steps: readonly PreprocessingStep[];
  readonly references: StepReferences;
  readonly samples: readonly TrainingImage[];
  readonly backbone: BackboneFile;
  readonly seed: number;
}

/** An image of a refinement; see `RefineSample`. */
export interface RefineImage extends TrainingImage {
  readonly use: 'correction' | 'known';
  readonly learned: boolean;
}

export interface RefineOrder {
  readonly kind: 'refine';
  /** The model to be refined, with the steps and their references in it. */
  readonly modelFile: Uint8Array;
  readonly backbone: BackboneFile;
  readonly samples: readonly RefineImage[];
  /** The parameters by which the model's verdicts are made. */
  readonly options: VerdictOptions;
}

export interface TrainingOutcome {
  /** All that predictions need beside the backbone; see `decodeModel`. */
  readonly modelFile: Uint8Array;
  readonly calibration: Calibration;
  readonly statistics: ProjectedStatistics;
  /** Names of good images that were dropped as outliers. */
  readonly outliers: readonly string[];
  /** Names of good images that were learned from though they differ from the others more than most do. */
  readonly doubtful: readonly string[];
  readonly remarks: readonly Message[];
}

export type ToTraining =
  | { readonly type: 'start'; readonly order: TrainOrder | RefineOrder }
  | { readonly type: 'image'; readonly index: number; readonly bytes: Uint8Array }
  | { readonly type: 'no-image'; readonly index: number; readonly error: RemoteError }
  | { readonly type: 'cancel' };

export type FromTraining =
  | { readonly type: 'need-image'; readonly index: number }
  | { readonly type: 'progress'; readonly progress: FitProgress }
  | { readonly type: 'outcome'; readonly outcome: TrainingOutcome }
  | { readonly type: 'failed'; readonly error: RemoteError };
