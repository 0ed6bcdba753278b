import Type, { type Static } from 'typebox';
import type { MeasuredPatches } from '../../anomaly-map/map-scorer.ts';
import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { openCorrectedScorer } from '../../corrections/corrected-scorer.ts';
import type { RefinableModel } from '../../corrections/refinable-model.ts';
import { pixelsOf } from '../../image/decode-image.ts';
import { openBankMeasure } from '../../memory-bank/open-memory-search.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { damagedPart, LABELS, LAYOUT, readHeader, readVector } from '../../model-file/model-parts.ts';
import type { BackboneFile, Predictor, RgbImage } from '../../types.ts';
import { decodeMemory, encodeMemory, type MemoryState } from '../contract/memory-state.ts';
import { describeImage } from './describe-image.ts';
import { CONV_SHAPE, type DetectorNetwork, openCellPredictor, openLevelExtractor } from './detector-network.ts';
import { defectProbabilities, networkScoresOn, suppressCells } from './network-cells.ts';
import { nameOf } from './trainable-network.ts';
import { VIEW } from './views.ts';

/** Thresholds: raw scores are parts of them. */
const LIMITS = Type.Object({ probability: Type.Number(), distance: Type.Number() });
export type Limits = Static<typeof LIMITS>;

/** All that a trained detector needs beside its backbone. */
export interface DefectDetectorState extends MemoryState {
  /** Class numbers; null: NG without a number. */
  readonly labels: readonly (number | null)[];
  /** From a level of the backbone to good, one class for each of `labels`, and the distances to the defect's four sides. */
  readonly detector: DetectorNetwork;
  readonly limits: Limits;
}

const MAGIC = 'KNSDETC4';
const HEADER = Type.Object({
  labels: LABELS,
  limits: LIMITS,
  level: Type.String(),
  shapes: Type.Array(CONV_SHAPE, { minItems: 1 }),
  pixels: LAYOUT,
  views: Type.Array(VIEW, { minItems: 1 }),
});

export function encodeDefectDetector(state: DefectDetectorState): Uint8Array {
  const { detector, labels, limits } = state;
  const { level, layers, layout: pixels, views } = detector;
  const { header, arrays } = encodeMemory(state, { labels });
  const shapes = layers.map(({ shape }) => shape);
  const parameters = layers.flatMap(({ weight, bias }, layer) => [
    [nameOf('weight', layer), weight],
    [nameOf('bias', layer), bias],
  ]);
  return encodeContainer(MAGIC, {
    header: { ...header, limits, level, shapes, pixels, views },
    arrays: { ...arrays, ...Object.fromEntries(parameters) },
  });
}

/** @throws VisionError `invalid_model` */
export function decodeDefectDetector(bytes: Uint8Array): DefectDetectorState {
  const content = decodeContainer(MAGIC, bytes);
  const { labels, limits, level, shapes, pixels, views } = readHeader(HEADER, content);
  // From the backbone's channels to good, the classes and the four sides.
  const fits = shapes.every(
    ({ inputs, outputs, residual }, layer) =>
      (layer === 0 || inputs === shapes[layer - 1]?.outputs) && (!residual || inputs === outputs),
  );
  if (!fits || shapes.at(-1)?.outputs !== labels.length + 5) throw damagedPart('shapes');
  const layers = shapes.map((shape, layer) => ({
    shape,
    weight: readVector(content, nameOf('weight', layer), shape.outputs * shape.inputs * shape.kernel ** 2),
    bias: readVector(content, nameOf('bias', layer), shape.outputs),
  }));
  return { ...decodeMemory(content, 1), labels, limits, detector: { level, layers, layout: pixels, views } };
}

/** The two views of an image: distances of its patches from good ones, and the network's cells. */
async function openViews(state: DefectDetectorState, backbone: BackboneFile, threads?: number) {
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  const bank = await openBankMeasure(state, 1, threads);
  const levels = await openLevelExtractor(backbone, state.detector.level, threads);
  const network = await openCellPredictor(state.detector, levels, threads);
  return {
    network,
    /** Patches whose raw scores are parts of the threshold of distances. */
    async measure(image: RgbImage, heldOut: boolean): Promise<MeasuredPatches> {
      const patches = await bank.measure(await extractor.extract(image), heldOut);
      return { ...patches, factors: new Float64Array(patches.distances.length).fill(1 / state.limits.distance) };
    },
    async dispose() {
      await network.dispose();
      await levels.dispose();
      await bank.dispose();
      await extractor.dispose();
    },
  };
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openDefectDetector(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodeDefectDetector(payload);
  const views = await openViews(state, backbone);
  const scorer = await openCorrectedScorer(state.corrections, state.smoothing);
  return {
    async predict(undecoded) {
      // Both networks need its pixels.
      const prepared = { ...undecoded, image: await pixelsOf(undecoded.image) };
      const patches = await views.measure(prepared.image, false);
      const scores = await scorer.score(patches);
      const cells = suppressCells(await views.network.predict(prepared.image), patches, scores.suppressed);
      return describeImage(cells, scores, prepared, state);
    },
    async dispose() {
      await scorer.dispose();
      await views.dispose();
    },
  };
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openRefinableDetector(
  payload: Uint8Array,
  backbone: BackboneFile,
  threads?: number,
): Promise<RefinableModel> {
  const state = decodeDefectDetector(payload);
  const { limits, smoothing, corrections } = state;
  const views = await openViews(state, backbone, threads);
  return {
    smoothing,
    corrections,
    canHoldOut: true,
    // Regions of no known class begin at the threshold. What the network says of its own training images is no evidence.
    minThreshold: 1,
    keepsCalibration: true,
    async measure(picture, heldOut) {
      const image = await pixelsOf(picture);
      const patches = await views.measure(image, heldOut);
      if (heldOut) return patches;
      const probabilities = defectProbabilities(await views.network.predict(image));
      return { ...patches, networkScores: networkScoresOn(patches, probabilities, limits.probability) };
    },
    encode: (changed) => encodeDefectDetector({ ...state, corrections: changed }),
    dispose: views.dispose,
  };
}
