import type { PatchExtractor, PatchFeatures } from '../features/patch-extractor.ts';
import { inspectedCells } from '../heatmaps/inspected-map.ts';
import { turnImage } from '../image/turn-image.ts';
import { NO_MARGINS } from '../inspection/parse-ignore-outer.ts';
import { sampleIndices } from '../math/sample-indices.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import type { PreparedImage, Random, TrainingSample } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { loadAhead } from './load-ahead.ts';
import { stackRows } from './open-patch-source.ts';
import { takeRows } from './select-coreset.ts';

/** Where an image's score map lies: its frame, without the pixels. */
export type ImageFrame = Omit<PreparedImage, 'image'> & {
  readonly image: { readonly width: number; readonly height: number };
};

/** What training keeps of an image. */
export interface TrainingPatches {
  readonly sample: TrainingSample;
  readonly frame: ImageFrame;
  /** Some of its patches, of its turned and mirrored copies too: candidates for the memory. */
  readonly candidates: Matrix;
  /** All of its patches, to be scored by a model that has not seen it; absent beyond the budget for them. */
  readonly features?: PatchFeatures;
}

export interface ExtractionOptions {
  /** Candidates over all images. */
  readonly candidates: number;
  readonly rotations: boolean;
  readonly flips: boolean;
  readonly random: Random;
  readonly signal: AbortSignal;
  report(done: number, total: number): void;
}

/** Bytes of whole feature grids kept for held-out scores: bounds the memory of a training on many images. */
const FEATURE_BYTES = 104 * 1024 * 1024;
const FEWEST_CANDIDATES = 32;

function variantsOf({ image }: PreparedImage, { rotations, flips }: ExtractionOptions) {
  const turns = rotations ? ([0, 1, 2, 3] as const) : ([0] as const);
  const mirrored = flips ? [false, true] : [false];
  return turns
    .flatMap((turn) => mirrored.map((mirror) => [turn, mirror] as const))
    .slice(1)
    .map(
      ([turn, mirror]) =>
        () =>
          turnImage(image, turn, mirror),
    );
}

/** Rows of inspected cells, `quota` of them at most. */
function chooseCandidates(features: PatchFeatures, frame: ImageFrame | undefined, quota: number, random: Random) {
  const { rows, columns, patches } = features;
  if (!frame?.inspected) return takeRows(patches, sampleIndices(patches.rows, quota, random));
  const cells = inspectedCells(rows, columns, frame, NO_MARGINS);
  const inspected = Uint32Array.from(cells.keys()).filter((cell) => cells[cell] === 1);
  const chosen = sampleIndices(inspected.length, quota, random).map((index) => inspected[index] ?? 0);
  return takeRows(patches, chosen);
}

function frameOf(prepared: PreparedImage): ImageFrame {
  const { image, ...frame } = prepared;
  return { ...frame, image: { width: image.width, height: image.height } };
}

/**
 * Runs the network over all samples; memory is bounded by the candidates and a fixed budget for whole grids.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function extractTrainingPatches(
  samples: readonly TrainingSample[],
  extractor: PatchExtractor,
  options: ExtractionOptions,
): Promise<TrainingPatches[]> {
  const variants = (options.rotations ? 4 : 1) * (options.flips ? 2 : 1);
  const quota = Math.max(FEWEST_CANDIDATES, Math.floor(options.candidates / (samples.length * variants)));
  const results: TrainingPatches[] = [];
  let budget = FEATURE_BYTES;
  for await (const prepared of loadAhead(samples)) {
    throwIfCancelled(options.signal);
    const index = results.length;
    const sample = samples[index];
    if (!sample) break;
    const frame = frameOf(prepared);
    const features = await extractor.extract(prepared.image);
    const parts = [chooseCandidates(features, frame, quota, options.random)];
    for (const variant of variantsOf(prepared, options)) {
      throwIfCancelled(options.signal);
      // Turned copies are taken whole: an ignored area would have to be turned with them.
      if (prepared.inspected) break;
      parts.push(chooseCandidates(await extractor.extract(variant()), undefined, quota, options.random));
    }
    budget -= features.patches.data.byteLength;
    const kept = budget > 0 || index < 2 ? { features } : {};
    results.push({ sample, frame, candidates: stackRows(parts), ...kept });
    options.report(index + 1, samples.length);
  }
  return results;
}
