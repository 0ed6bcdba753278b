import type { ImageProbe } from '../../vision/image/decode-image.ts';
import type { UnusableImage } from '../../vision/image/unusable-image.ts';
import type { ExplainedPlace, ExplainOptions, MatchingPatch } from '../../vision/inspection/explain-place.ts';
import type { ImageVerdict, VerdictOptions } from '../../vision/inspection/open-inspector.ts';
import type { RefineSample } from '../../vision/refining/refine-sample.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import type { TrainedModel } from '../../vision/training/train-model.ts';
import type { BackboneFile, ParameterValues, PreprocessingStep, TrainingSample } from '../../vision/types.ts';
import type { RemoteError } from './remote-error.ts';

/** Image files that steps refer to, by the name under which the step's config has them. */
export type StepReferences = Readonly<Record<string, Uint8Array>>;

interface OfModel {
  readonly model: string;
  readonly backbone: string;
}

/** One piece of work, on one image file or model. */
export type ComputeTask =
  | {
      readonly kind: 'predict';
      readonly model: string;
      readonly image: Uint8Array;
      readonly options: VerdictOptions;
    }
  /** Opens the model; nothing is computed. */
  | { readonly kind: 'warm'; readonly model: string }
  /** `model` is open in the process, which then has its network, too. */
  | ({
      readonly kind: 'explain';
      readonly modelFile: Uint8Array;
      readonly image: Uint8Array;
      readonly options: ExplainOptions;
    } & OfModel)
  | ({ readonly kind: 'match'; readonly images: readonly Uint8Array[]; readonly asked: ExplainedPlace } & OfModel)
  | { readonly kind: 'heatmap'; readonly image: Uint8Array; readonly anomalyMap: Uint8Array }
  | { readonly kind: 'anomaly-map'; readonly anomalyMap: Uint8Array; readonly width: number; readonly height: number }
  | { readonly kind: 'probe'; readonly image: Uint8Array }
  | { readonly kind: 'unusable'; readonly image: Uint8Array }
  | { readonly kind: 'thumbnail'; readonly image: Uint8Array; readonly size: number }
  | {
      readonly kind: 'preview';
      readonly image: Uint8Array;
      readonly steps: readonly PreprocessingStep[];
      readonly references: StepReferences;
    };

export type TaskOf<Kind extends ComputeTask['kind']> = Extract<ComputeTask, { kind: Kind }>;

/** A verdict as the service stores it. Raw scores stay in the process; the heatmap is drawn when a person looks at it. */
export interface SentVerdict extends Omit<ImageVerdict, 'map' | 'stages' | 'anomalyMap' | 'heatmap'> {
  /** By `encodeAnomalyMap`. */
  readonly anomalyMap: Uint8Array;
}

export interface ComputeResults {
  predict: SentVerdict;
  explain: ExplainedPlace | undefined;
  match: MatchingPatch | undefined;
  /** JPEG. */
  heatmap: Uint8Array;
  /** PNG. */
  'anomaly-map': Uint8Array;
  probe: ImageProbe;
  /** Why nothing can be learned from the image; undefined: something can. */
  unusable: UnusableImage | undefined;
  /** WebP. */
  thumbnail: Uint8Array;
  /** WebP of the prepared image. */
  preview: Uint8Array;
  warm: null;
}

export type ComputeKind = keyof ComputeResults;

export type ToWorker =
  | { readonly type: 'backbone'; readonly hash: string; readonly file: BackboneFile }
  | { readonly type: 'open-model'; readonly hash: string; readonly model: Uint8Array; readonly backboneHash: string }
  | { readonly type: 'close-model'; readonly hash: string }
  | { readonly type: 'task'; readonly id: number; readonly task: ComputeTask };

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly id: number; readonly result: unknown; readonly rssBytes: number }
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly error: RemoteError;
      readonly rssBytes: number;
      /** The model could not be opened, and the process has forgotten it. */
      readonly closedModel?: string;
    };

/** What is known of a training image before its bytes are fetched. */
export type TrainingImage = Omit<TrainingSample, 'load'>;

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

export type RefineImage = Omit<RefineSample, 'load'>;

export interface RefineOrder {
  readonly kind: 'refine';
  /** The model to be refined, with the steps and their references in it. */
  readonly modelFile: Uint8Array;
  readonly backbone: BackboneFile;
  readonly samples: readonly RefineImage[];
  /** The parameters by which the model's verdicts are made. */
  readonly options: VerdictOptions;
}

type Learned = Pick<TrainedModel, 'calibration' | 'statistics' | 'outliers' | 'doubtful' | 'remarks'>;

export interface TrainingOutcome extends Learned {
  /** All that predictions need beside the backbone; see `decodeModel`. */
  readonly modelFile: Uint8Array;
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
