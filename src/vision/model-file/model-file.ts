import { say } from '../engine-messages.ts';
import type { Calibration, ParameterValues, PreprocessingStep } from '../types.ts';
import { VisionError } from '../vision-error.ts';
import { decodeContainer, encodeContainer } from './binary-container.ts';

/** Everything that a prediction needs beside the network: it travels as one file. */
export interface ModelFile {
  readonly algorithmId: string;
  readonly algorithmVersion: string;
  readonly params: ParameterValues;
  /** The network that it was trained with. */
  readonly backbone: { readonly id: string; readonly sha256: string };
  readonly preprocessing: {
    readonly steps: readonly PreprocessingStep[];
    /** Files that steps refer to, by name. */
    readonly references: Readonly<Record<string, Uint8Array>>;
  };
  readonly calibration: Calibration;
  /** The algorithm's own state. */
  readonly payload: Uint8Array;
}

const MAGIC = 'KENSAMDL';
const REFERENCE_PREFIX = 'reference:';

export function encodeModel(model: ModelFile): Uint8Array {
  const { algorithmId, algorithmVersion, params, backbone, preprocessing, calibration, payload } = model;
  const algorithm = { id: algorithmId, version: algorithmVersion };
  const references = Object.entries(preprocessing.references).map(([name, bytes]) => [REFERENCE_PREFIX + name, bytes]);
  const header = { algorithm, params, backbone, steps: preprocessing.steps, calibration };
  return encodeContainer(MAGIC, { header, arrays: { payload, ...Object.fromEntries(references) } });
}

/** @throws VisionError `invalid_model` for another kind of file, an unknown version, or bytes that were changed. */
export function decodeModel(bytes: Uint8Array): ModelFile {
  const { header, arrays } = decodeContainer(MAGIC, bytes);
  const { algorithm, params, backbone, steps, calibration } = header as {
    algorithm?: { id: string; version: string };
    params?: ParameterValues;
    backbone?: { id: string; sha256: string };
    steps?: PreprocessingStep[];
    calibration?: Calibration;
  };
  const { payload, ...others } = arrays;
  const whole = algorithm && params && backbone && Array.isArray(steps) && Array.isArray(calibration?.goodScores);
  if (!whole || !(payload instanceof Uint8Array))
    throw new VisionError('invalid_model', say('model.damaged', { part: 'header' }));
  const references = Object.entries(others).flatMap(([name, array]) =>
    array instanceof Uint8Array ? [[name.slice(REFERENCE_PREFIX.length), array] as const] : [],
  );
  return {
    algorithmId: algorithm.id,
    algorithmVersion: algorithm.version,
    params,
    backbone,
    preprocessing: { steps, references: Object.fromEntries(references) },
    calibration,
    payload,
  };
}
