import type { RefinableModel } from '../../corrections/refinable-model.ts';
import type { FitInput, FitResult } from '../../training/fit-input.ts';
import type { BackboneFile, ParameterSpec, ParameterValues, Predictor } from '../../types.ts';

export interface Algorithm {
  readonly id: string;
  readonly name: string;
  readonly type: 'anomaly_detection' | 'classification' | 'object_detection';
  readonly attribute: 'unsupervised' | 'supervised';
  readonly version: string;
  readonly parameters: readonly ParameterSpec[];
  fit(input: FitInput): Promise<FitResult>;
  /** @throws where the payload is not one that `fit` of this algorithm made. */
  open(payload: Uint8Array, backbone: BackboneFile, params: ParameterValues): Promise<Predictor>;
  /** Errors as those of `open`. */
  openRefinable(payload: Uint8Array, backbone: BackboneFile, threads?: number): Promise<RefinableModel>;
}
