import type { ImageProbe } from '../../vision/image/decode-image.ts';
import type { UnusableImage } from '../../vision/image/unusable-image.ts';
import type { ImageVerdict, VerdictOptions } from '../../vision/inspection/open-inspector.ts';
import type { BackboneFile, PreprocessingStep } from '../../vision/types.ts';
import type { RemoteError } from './remote-error.ts';

/** Image files that steps refer to, by the name under which the step's config has them. */
export type StepReferences = Readonly<Record<string, Uint8Array>>;

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
  | { readonly kind: 'heatmap'; readonly image: Uint8Array; readonly anomalyMap: Uint8Array }
  | { readonly kind: 'probe'; readonly image: Uint8Array }
  | { readonly kind: 'unusable'; readonly image: Uint8Array }
  | { readonly kind: 'thumbnail'; readonly image: Uint8Array; readonly size: number }
  | {
      readonly kind: 'preview';
      readonly image: Uint8Array;
      readonly steps: readonly PreprocessingStep[];
      readonly references: StepReferences;
    };

/** A verdict as the service stores it. Raw scores stay in the process; the heatmap is drawn when a person looks at it. */
export interface SentVerdict extends Omit<ImageVerdict, 'map' | 'stages' | 'anomalyMap' | 'heatmap'> {
  /** By `encodeAnomalyMap`. */
  readonly anomalyMap: Uint8Array;
}

export interface ComputeResults {
  predict: SentVerdict;
  /** JPEG. */
  heatmap: Uint8Array;
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
