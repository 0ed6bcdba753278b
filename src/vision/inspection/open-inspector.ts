import { findAlgorithm } from '../algorithms/catalogue.ts';
import { type AnomalyMap, drawHeatmap, makeAnomalyMap } from '../anomaly-map/anomaly-map.ts';
import { inspectMap, parseIgnoreOuter } from '../anomaly-map/inspected-map.ts';
import { openOutliner } from '../anomaly-map/outline-network.ts';
import { backboneDigest } from '../backbone/open-backbone.ts';
import { say } from '../engine-messages.ts';
import { openImage, pixelsOf } from '../image/decode-image.ts';
import type { Message } from '../message.ts';
import { decodeModel, type ModelFile } from '../model-file/model-file.ts';
import { collectGarbage } from '../onnx/collect-garbage.ts';
import type { Preprocess } from '../preprocess/compile-steps.ts';
import { prepareImage } from '../preprocess/step.ts';
import { anomalyScore, detectionAccuracy, rawScoreAt } from '../training/thresholds.ts';
import type { BackboneFile, ImageFile, Region, ScoreMap } from '../types.ts';
import { VisionError } from '../vision-error.ts';
import { findRegions } from './find-regions.ts';

export interface VerdictOptions {
  /** On the scale of anomaly scores, 0 to 1. */
  readonly threshold: number;
  readonly ignoreOuter: string;
  /** Square pixels of the original image. */
  readonly minDetectedArea: number;
}

export interface InspectOptions extends VerdictOptions {
  readonly heatmap: boolean;
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
  readonly regions: readonly (Region & { readonly anomalyScore: number })[];
  /** 0 to 100. */
  readonly detectionAccuracy: number;
  /** From preprocessing, such as that it did not find the product. */
  readonly remarks?: readonly Message[];
  /** Raw scores over the prepared image. */
  readonly map: ScoreMap;
  /** What `drawHeatmap` lays over the original. */
  readonly anomalyMap: AnomalyMap;
  /** JPEG, where it was asked for. */
  readonly heatmap?: Uint8Array;
  /** Milliseconds a stage, where a clock was given. */
  readonly stages?: Readonly<Record<string, number>>;
}

export type Inspector = Awaited<ReturnType<typeof openInspector>>;

export const prepareNothing: Preprocess = async (image) => prepareImage(image);

function startStopwatch(clock: () => number) {
  const stages: Record<string, number> = {};
  let last = clock();
  const lap = (stage: string): void => {
    const now = clock();
    stages[stage] = (stages[stage] ?? 0) + now - last;
    last = now;
  };
  const timeDecoding = async <Pixels>(before: string, decode: () => Promise<Pixels>): Promise<Pixels> => {
    lap(before);
    return decode().finally(() => lap('decode'));
  };
  return {
    stages,
    lap,
    /** The file. The time for its pixels counts as `decode` wherever they are asked for. */
    timed: (file: ImageFile): ImageFile => ({
      ...file,
      decode: () => timeDecoding('prepare', file.decode),
      reduce: (width, height) => timeDecoding('network', () => file.reduce(width, height)),
    }),
  };
}

async function openPredictor(model: ModelFile, backbone: BackboneFile) {
  const algorithm = findAlgorithm(model.algorithmId);
  if (!algorithm || algorithm.version !== model.algorithmVersion) {
    const wanted = { algorithm: model.algorithmId, version: model.algorithmVersion };
    throw new VisionError('invalid_model', say('model.other-release', wanted));
  }
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
) {
  const { payload, ...model } = decodeModel(modelBytes);
  const predictor = await openPredictor({ ...model, payload }, backbone);
  const outliner = backbone.outlines && openOutliner(backbone.outlines);
  const { calibration } = model;

  async function inspect(bytes: Uint8Array, options: InspectOptions): Promise<ImageVerdict> {
    const { threshold, minDetectedArea, ignoreOuter } = options;
    if (!(threshold >= 0 && threshold <= 1))
      throw new VisionError('invalid_value', say('verdict.threshold', { threshold }));
    if (!(minDetectedArea >= 0))
      throw new VisionError('invalid_value', say('verdict.min-area', { area: minDetectedArea }));
    const margins = parseIgnoreOuter(ignoreOuter);
    const rawLimit = rawScoreAt(threshold, calibration.rawThreshold);
    // Frees what the image before has left.
    collectGarbage({ type: 'minor' });
    const watch = clock && startStopwatch(clock);
    // A heatmap is drawn over all pixels. Otherwise the file is decoded where its pixels are needed.
    const file = await openImage(bytes);
    const original = options.heatmap ? await file.decode() : (watch?.timed(file) ?? file);
    watch?.lap('decode');
    const prepared = await prepare(original);
    watch?.lap('prepare');
    const prediction = await predictor.predict(prepared);
    watch?.lap('network');
    const { width, height } = original;
    const inspected = inspectMap(prediction.map, prepared, margins);
    if (!inspected.inspected.includes(1)) {
      const code = prepared.inspected ? 'verdict.nothing-inspected-masked' : 'verdict.nothing-inspected';
      throw new VisionError('invalid_value', say(code, { width, height, ignoreOuter }));
    }
    const { found, rawScore } = findRegions(prediction, inspected, prepared, { rawLimit, margins, minDetectedArea });
    const { canvas } = prediction;
    const outlined = canvas && outliner ? await outliner.outline(found, inspected, canvas, prepared, rawLimit) : found;
    watch?.lap('regions');
    const turningPoint = Number.isFinite(rawLimit) ? rawLimit : calibration.rawThreshold;
    const anomalyMap = makeAnomalyMap(prediction.map, inspected, turningPoint, prepared);
    watch?.lap('anomalyMap');
    const heatmap = options.heatmap ? await drawHeatmap(await pixelsOf(original), anomalyMap) : undefined;
    if (heatmap) watch?.lap('heatmap');
    return {
      width,
      height,
      rawScore,
      anomalyScore: anomalyScore(rawScore, calibration.rawThreshold),
      result: found.length > 0 ? 'NG' : 'OK',
      label: found.length > 0 ? (prediction.label ?? found[0]?.label ?? null) : null,
      regions: outlined.map(({ grown: _, ...region }) => ({
        ...region,
        anomalyScore: anomalyScore(region.rawScore, calibration.rawThreshold),
      })),
      detectionAccuracy: detectionAccuracy(rawScore, rawLimit, calibration),
      ...(prepared.remarks ? { remarks: prepared.remarks } : {}),
      map: prediction.map,
      anomalyMap,
      ...(heatmap && { heatmap }),
      ...(watch && { stages: watch.stages }),
    };
  }

  return {
    model,
    inspect,
    dispose: async () => {
      await Promise.all([outliner?.dispose(), predictor.dispose()]);
    },
  };
}
