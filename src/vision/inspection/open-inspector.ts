import { findAlgorithm } from '../algorithms/catalogue.ts';
import { type AnomalyMap, makeAnomalyMap } from '../anomaly-map/anomaly-map.ts';
import { drawHeatmap } from '../anomaly-map/draw-heatmap.ts';
import { type InspectedMap, inspectMap, parseIgnoreOuter } from '../anomaly-map/inspected-map.ts';
import { backboneDigest } from '../backbone/backbone-digest.ts';
import { say } from '../engine-messages.ts';
import { decodeImage, openImage, pixelsOf } from '../image/decode-image.ts';
import type { Message } from '../message.ts';
import { decodeModel, type ModelFile } from '../model-file/model-file.ts';
import type { Preprocess } from '../preprocess/compile-steps.ts';
import { prepareImage } from '../preprocess/prepared-image.ts';
import { anomalyScore, detectionAccuracy, rawScoreAt } from '../training/thresholds.ts';
import type { BackboneFile, Picture, PreparedImage, Region, ScoreMap } from '../types.ts';
import { VisionError } from '../vision-error.ts';
import { findRegions } from './find-regions.ts';

/** The parameters by which a verdict is made. */
export interface VerdictOptions {
  /** On the scale of anomaly scores, 0 to 1. */
  readonly threshold: number;
  readonly ignoreOuter: string;
  /** Square pixels of the original image. */
  readonly minDetectedArea: number;
}

export interface InspectOptions extends VerdictOptions {
  /** Whether the heatmap is drawn at once. */
  readonly heatmap: boolean;
}

export interface ScoredRegion extends Region {
  readonly anomalyScore: number;
}

export interface ImageVerdict {
  /** Of the original image, after EXIF rotation. */
  readonly width: number;
  readonly height: number;
  readonly rawScore: number;
  readonly anomalyScore: number;
  readonly result: 'OK' | 'NG';
  /** Class number of the image, where the algorithm tells classes apart. */
  readonly label: number | null;
  readonly regions: readonly ScoredRegion[];
  /** 0 to 100. */
  readonly detectionAccuracy: number;
  /** What preprocessing has to say to a person, such as that it did not find the product; absent: nothing. */
  readonly remarks?: readonly Message[];
  /** Raw scores over the prepared image. */
  readonly map: ScoreMap;
  /** What `drawHeatmap` lays over the original. */
  readonly anomalyMap: AnomalyMap;
  /** JPEG of the original under its anomaly map, where it was asked for. */
  readonly heatmap?: Uint8Array;
  /** Milliseconds a stage, where a clock was given. */
  readonly stages?: Readonly<Record<string, number>>;
}

export interface Inspector {
  readonly model: Omit<ModelFile, 'payload'>;
  inspect(bytes: Uint8Array, options: InspectOptions): Promise<ImageVerdict>;
  dispose(): Promise<void>;
}

/** An image without any preprocessing. */
export const prepareNothing: Preprocess = async (image) => prepareImage(image);

function checkOptions({ threshold, minDetectedArea }: VerdictOptions): void {
  if (!(threshold >= 0 && threshold <= 1))
    throw new VisionError('invalid_value', say('verdict.threshold', { threshold }));
  if (!(minDetectedArea >= 0))
    throw new VisionError('invalid_value', say('verdict.min-area', { area: minDetectedArea }));
}

/** @throws VisionError `invalid_value`: what nobody looks at must not pass */
function refuseUninspected(
  { inspected }: InspectedMap,
  { ignoreOuter }: InspectOptions,
  prepared: PreparedImage<Picture>,
): void {
  if (inspected.includes(1)) return;
  throw new VisionError(
    'invalid_value',
    say(prepared.inspected ? 'verdict.nothing-inspected-masked' : 'verdict.nothing-inspected', {
      width: prepared.originalWidth,
      height: prepared.originalHeight,
      ignoreOuter,
    }),
  );
}

/** A stage inside of another one counts for itself alone. */
function stopwatch(clock: (() => number) | undefined) {
  const stages: Record<string, number> = {};
  let inside = 0;
  return {
    async time<T>(stage: string, work: () => Promise<T>): Promise<T> {
      if (!clock) return work();
      const [started, before] = [clock(), inside];
      inside = 0;
      const result = await work();
      const duration = clock() - started;
      stages[stage] = (stages[stage] ?? 0) + duration - inside;
      inside = before + duration;
      return result;
    },
    result: () => (clock ? { stages } : {}),
  };
}

async function openPicture(bytes: Uint8Array, whole: boolean, watch: ReturnType<typeof stopwatch>): Promise<Picture> {
  if (whole) return watch.time('decode', () => decodeImage(bytes));
  const file = await watch.time('decode', () => openImage(bytes));
  return {
    ...file,
    decode: () => watch.time('decode', () => file.decode()),
    reduce: (width, height) => watch.time('decode', () => file.reduce(width, height)),
  };
}

async function openPredictor(model: ModelFile, backbone: BackboneFile) {
  const algorithm = findAlgorithm(model.algorithmId);
  if (!algorithm || algorithm.version !== model.algorithmVersion)
    throw new VisionError(
      'invalid_model',
      say('model.other-release', { algorithm: model.algorithmId, version: model.algorithmVersion }),
    );
  if (backboneDigest(backbone) !== model.backbone.sha256)
    throw new VisionError('invalid_model', say('model.other-network', { network: model.backbone.id }));
  return algorithm.open(model.payload, backbone, model.params);
}

/**
 * Opens a model for predictions; one at a time.
 * @param prepare the model's preprocessing steps, compiled; nothing where absent
 * @param clock milliseconds, to measure the stages with
 * @throws VisionError `invalid_model`, `invalid_backbone`; from `inspect` also those of `decodeImage`, `invalid_value`
 */
export async function openInspector(
  modelBytes: Uint8Array,
  backbone: BackboneFile,
  prepare: Preprocess = prepareNothing,
  clock?: () => number,
): Promise<Inspector> {
  const { payload, ...model } = decodeModel(modelBytes);
  const predictor = await openPredictor({ ...model, payload }, backbone);
  const { calibration } = model;

  async function inspect(bytes: Uint8Array, options: InspectOptions): Promise<ImageVerdict> {
    checkOptions(options);
    const margins = parseIgnoreOuter(options.ignoreOuter);
    const rawLimit = rawScoreAt(options.threshold, calibration.rawThreshold);
    const watch = stopwatch(clock);
    // A heatmap is drawn over all of its pixels.
    const original = await openPicture(bytes, options.heatmap, watch);
    const prepared = await watch.time('prepare', () => prepare(original));
    const prediction = await watch.time('network', () => predictor.predict(prepared));
    const inspected = inspectMap(prediction.map, prepared, margins);
    refuseUninspected(inspected, options, prepared);
    const { minDetectedArea } = options;
    const { found, rawScore } = await watch.time('regions', async () =>
      findRegions(prediction, inspected, prepared, { rawLimit, margins, minDetectedArea }),
    );
    const turningPoint = Number.isFinite(rawLimit) ? rawLimit : calibration.rawThreshold;
    const scores = { map: prediction.map, inspected, rawLimit: turningPoint };
    const anomalyMap = await watch.time('anomalyMap', async () => makeAnomalyMap(scores, prepared));
    const draw = async (): Promise<Uint8Array> => drawHeatmap(await pixelsOf(original), anomalyMap);
    const heatmap = options.heatmap ? { heatmap: await watch.time('heatmap', draw) } : {};
    return {
      width: original.width,
      height: original.height,
      rawScore,
      anomalyScore: anomalyScore(rawScore, calibration.rawThreshold),
      result: found.length > 0 ? 'NG' : 'OK',
      label: found.length > 0 ? (prediction.label ?? found[0]?.label ?? null) : null,
      regions: found.map((region) => ({
        ...region,
        anomalyScore: anomalyScore(region.rawScore, calibration.rawThreshold),
      })),
      detectionAccuracy: detectionAccuracy(rawScore, rawLimit, calibration),
      ...(prepared.remarks ? { remarks: prepared.remarks } : {}),
      map: prediction.map,
      anomalyMap,
      ...heatmap,
      ...watch.result(),
    };
  }

  return { model, inspect, dispose: () => predictor.dispose() };
}
