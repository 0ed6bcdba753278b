import Type from 'typebox';
import type { MeasuredPatches } from '../../anomaly-map/map-scorer.ts';
import { openPatchExtractor } from '../../backbone/patch-extractor.ts';
import { type CorrectedScores, openCorrectedScorer } from '../../corrections/corrected-scorer.ts';
import type { RefinableModel } from '../../corrections/refinable-model.ts';
import { resizeImage } from '../../image/resize-image.ts';
import type { Matrix } from '../../math/matrix.ts';
import { openBankMeasure } from '../../memory-bank/open-memory-search.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { COUNT, LABELS, readHeader, readMatrix, readVector } from '../../model-file/model-parts.ts';
import type { BackboneFile, Picture, Predictor } from '../../types.ts';
import { decodeMemory, encodeMemory, type MemoryState } from '../contract/memory-state.ts';
import { defectFactors, likeliestDefect, openPatchClassifier, type Perceptron } from './patch-classifier.ts';

/** All that a trained classifier needs beside its backbone. */
export interface DefectClassifierState extends MemoryState {
  /** Class numbers; null: NG without a number. */
  readonly labels: readonly (number | null)[];
  /** From a patch to its classes: good, then one for each of `labels`. */
  readonly network: Perceptron;
  /** How much the network's view counts beside the distance, 0 to 1. */
  readonly weight: number;
}

const MAGIC = 'KNSCLASS';
const HEADER = Type.Object({ labels: LABELS, weight: Type.Number(), hidden: COUNT });

export function encodeDefectClassifier(state: DefectClassifierState): Uint8Array {
  const { network, labels, weight } = state;
  const { header, arrays } = encodeMemory(state, { labels });
  return encodeContainer(MAGIC, {
    header: { ...header, weight, hidden: network.first.columns },
    arrays: {
      ...arrays,
      first: network.first.data,
      firstBias: network.firstBias,
      second: network.second.data,
      secondBias: network.secondBias,
    },
  });
}

/** @throws VisionError `invalid_model` */
export function decodeDefectClassifier(bytes: Uint8Array): DefectClassifierState {
  const content = decodeContainer(MAGIC, bytes);
  const memory = decodeMemory(content, 1);
  const { labels, weight, hidden } = readHeader(HEADER, content);
  const outputs = labels.length + 1;
  return {
    ...memory,
    labels,
    weight,
    network: {
      first: readMatrix(content, 'first', memory.bank.columns, hidden),
      firstBias: readVector(content, 'firstBias', hidden),
      second: readMatrix(content, 'second', hidden, outputs),
      secondBias: readVector(content, 'secondBias', outputs),
    },
  };
}

/** Patches with the probability of every class; the first class is good. [patches, classes] */
type ClassifiedPatches = MeasuredPatches & { readonly classes: Matrix };

async function openMeasure(state: DefectClassifierState, backbone: BackboneFile, threads?: number) {
  const bank = await openBankMeasure(state, 1, threads);
  const classifier = await openPatchClassifier(state.network, threads);
  const extractor = await openPatchExtractor(backbone, state.layout, state.projection, threads);
  return {
    async measure(image: Picture, heldOut: boolean): Promise<ClassifiedPatches> {
      const features = await extractor.extract(image);
      const patches = await bank.measure(features, heldOut);
      const classes = await classifier.classify(features.patches);
      const factors = defectFactors(classes, state.weight);
      if (!factors) return { ...patches, classes };
      const ofPlaces = patches.factors;
      return {
        ...patches,
        classes,
        factors: ofPlaces ? factors.map((factor, cell) => factor * ofPlaces[cell]!) : factors,
      };
    },
    async dispose() {
      await bank.dispose();
      await classifier.dispose();
      await extractor.dispose();
    },
  };
}

/** The class of the missed defect that raised the highest score, or else the class that the network names. */
function labelOf({ map, labels }: CorrectedScores, classes: Matrix, known: readonly (number | null)[]): number | null {
  const highest = map.data.reduce((best, score, cell) => (score > map.data[best]! ? cell : best), 0);
  return labels?.[highest] ?? known[likeliestDefect(map, classes) - 1] ?? null;
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openDefectClassifier(payload: Uint8Array, backbone: BackboneFile): Promise<Predictor> {
  const state = decodeDefectClassifier(payload);
  const { measure, dispose } = await openMeasure(state, backbone);
  const scorer = await openCorrectedScorer(state.corrections, state.smoothing);
  return {
    async predict({ image }) {
      const canvas = await resizeImage(image, state.layout.canvasWidth, state.layout.canvasHeight);
      const patches = await measure(canvas, false);
      const scores = await scorer.score(patches);
      const label = labelOf(scores, patches.classes, state.labels);
      return { map: scores.map, canvas, ...(label !== null && { label }) };
    },
    async dispose() {
      await scorer.dispose();
      await dispose();
    },
  };
}

/** @throws VisionError `invalid_model`, `invalid_backbone` */
export async function openRefinableClassifier(
  payload: Uint8Array,
  backbone: BackboneFile,
  threads?: number,
): Promise<RefinableModel> {
  const state = decodeDefectClassifier(payload);
  return {
    smoothing: state.smoothing,
    corrections: state.corrections,
    // The network has learned from all images. It cannot hold one out.
    canHoldOut: state.weight === 0,
    encode: (corrections) => encodeDefectClassifier({ ...state, corrections }),
    ...(await openMeasure(state, backbone, threads)),
  };
}
