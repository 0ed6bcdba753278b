import { inspectedCells } from '../anomaly-map/inspected-map.ts';
import { type ScorableImage, scorable } from '../anomaly-map/map-scorer.ts';
import { NO_MARGINS } from '../anomaly-map/parse-ignore-outer.ts';
import type { PatchExtractor, PatchFeatures } from '../backbone/patch-extractor.ts';
import { turnImage } from '../image/turn-image.ts';
import { type Matrix, stackRows, takeRows } from '../math/matrix.ts';
import { sampleIndices } from '../math/sample-indices.ts';
import { openRowSlots } from '../memory-bank/row-slots.ts';
import { collectGarbage } from '../onnx/collect-garbage.ts';
import { AHEAD, prefetch } from '../onnx/prefetch.ts';
import type { ImageFrame, PreparedImage, Random, TrainingSample } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { type KeptGrid, keepGrid } from './kept-grid.ts';

/** What training keeps of an image. */
export interface TrainingPatches {
  readonly sample: TrainingSample;
  /** Some of its patches, of its turned and mirrored copies too: candidates for the memory. */
  readonly candidates: Matrix;
  /** All of its patches, to be scored by a model that has not seen it; absent beyond the budget for them. */
  readonly grid?: KeptGrid;
  /** What counts of their map, as `inspectionOf` says; absent: everything. */
  readonly inspection?: Uint8Array | undefined;
  /** What {@link ExtractionOptions.judge} said of an image whose patches are not kept. */
  readonly judged?: number;
}

export interface ExtractionOptions {
  /** Candidates over all images. */
  readonly candidates: number;
  readonly rotations: boolean;
  readonly flips: boolean;
  readonly random: Random;
  readonly signal: AbortSignal;
  /**
   * Called for each image whose patches will not be kept, once those that keep theirs (`kept`, drawn by chance from all
   * images) have been extracted: the only moment at which all its patches are there. Answers for the first image before it is
   * asked for others, and then for two at once.
   */
  judge?(image: ScorableImage & Pick<TrainingPatches, 'sample'>, kept: readonly TrainingPatches[]): Promise<number>;
  report(done: number, total: number): void;
  /** Bytes of whole feature grids to keep; the tests' to lower. */
  readonly gridBytes?: number;
}

/** Bytes of whole feature grids that are kept for held-out scores: bounds the memory of a training on many images. */
export const GRID_BYTES = 52 * 1024 * 1024;
/** Bytes of grids that are extracted ahead, though one image is always under way while two others are dealt with. */
const AHEAD_BYTES = 16 * 1024 * 1024;
const FEWEST_CANDIDATES = 4;
/** Images after which what they left is collected: seldom enough to take a hundredth of their time. */
const COLLECTED_IMAGES = 32;

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

/** Which images keep their whole grids: as many as the budget has room for, by chance. The first is always among them. */
function chooseKept(count: number, room: number, random: Random): Uint32Array {
  if (room >= count) return Uint32Array.from({ length: count }, (_, index) => index);
  const others = sampleIndices(count - 1, Math.max(2, room) - 1, random).map((index) => index + 1);
  return Uint32Array.of(0, ...others);
}

interface Extracted {
  /** Without the pixels, which take more than all else. */
  readonly frame: ImageFrame;
  readonly features: PatchFeatures;
  /** Of the image's turned and mirrored copies. */
  readonly copies: readonly PatchFeatures[];
}

async function extractOne(
  sample: TrainingSample,
  extractor: PatchExtractor,
  options: ExtractionOptions,
): Promise<Extracted> {
  throwIfCancelled(options.signal);
  const prepared = await sample.load();
  const features = await extractor.extract(prepared.image);
  const copies: PatchFeatures[] = [];
  // Turned copies are taken whole: an ignored area would have to be turned with them.
  for (const variant of prepared.inspected ? [] : variantsOf(prepared, options)) {
    throwIfCancelled(options.signal);
    copies.push(await extractor.extract(variant()));
  }
  const { image, ...rest } = prepared;
  return { frame: { ...rest, image: { width: image.width, height: image.height } }, features, copies };
}

/** Where what is kept of the images lies: in one piece of memory, or wherever it comes to lie. */
interface Places {
  /** @param index of the image */
  candidates(index: number, candidates: Matrix): Matrix;
  grid(features: PatchFeatures): KeptGrid;
}

const ANYWHERE: Places = { candidates: (_, candidates) => candidates, grid: (features) => keepGrid(features) };

/** Places for so many images and grids, as much for each as there is of the first. */
function openPlaces(images: number, grids: number, first: { candidates: Matrix; grid: KeptGrid }): Places {
  const candidates = openRowSlots(images, first.candidates);
  const size = first.grid.steps.length;
  const steps = new Int16Array(grids * size);
  let placed = 0;
  return {
    candidates: candidates.put,
    grid: (features) => keepGrid(features, steps.subarray(placed * size, ++placed * size)),
  };
}

/** Of the image and its copies, `quota` of each. */
function candidatesOf({ frame, features, copies }: Extracted, quota: number, random: Random): Matrix {
  const own = chooseCandidates(features, frame, quota, random);
  return stackRows([own, ...copies.map((copy) => chooseCandidates(copy, undefined, quota, random))]);
}

/**
 * Runs the network once over every sample; memory is bounded by the candidates and a fixed budget for whole grids.
 * @returns in the order of the samples
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function extractTrainingPatches(
  samples: readonly TrainingSample[],
  extractor: PatchExtractor,
  options: ExtractionOptions,
): Promise<TrainingPatches[]> {
  const { signal, random, judge, gridBytes = GRID_BYTES } = options;
  const variants = (options.rotations ? 4 : 1) * (options.flips ? 2 : 1);
  const quota = Math.max(FEWEST_CANDIDATES, Math.floor(options.candidates / (samples.length * variants)));
  const results = new Map<number, TrainingPatches>();
  let keeping: readonly TrainingPatches[] = [];

  let ahead = 0;
  let places = ANYWHERE;
  /** The images one after the other, each with the work that remains: candidates are drawn in this order. */
  async function* extracting(indices: readonly number[], keep: boolean) {
    const extract = async (index: number) => {
      const sample = samples[index]!;
      return { index, sample, extracted: await extractOne(sample, extractor, options) };
    };
    for await (const { index, sample, extracted } of prefetch(indices, extract, ahead)) {
      throwIfCancelled(signal);
      const candidates = places.candidates(index, candidatesOf(extracted, quota, random));
      const { features, inspection } = scorable(extracted.features, extracted.frame);
      const kept = keep ? { grid: places.grid(features), inspection } : {};
      yield async (): Promise<readonly [number, TrainingPatches]> => {
        const judged = keep ? undefined : await judge?.({ sample, features, inspection }, keeping);
        return [index, { sample, candidates, ...kept, ...(judged === undefined ? {} : { judged }) }];
      };
    }
  }

  async function run(indices: readonly number[], keep: boolean): Promise<void> {
    for await (const [index, image] of prefetch(extracting(indices, keep), (finish) => finish(), 1)) {
      results.set(index, image);
      if (results.size % COLLECTED_IMAGES === 0) collectGarbage();
      options.report(results.size, samples.length);
    }
  }

  await run([0], true);
  const first = results.get(0);
  if (!first?.grid) return [];
  const { candidates, grid } = first;
  const { length, byteLength } = grid.steps;
  ahead = Math.min(AHEAD, Math.max(1, Math.floor(AHEAD_BYTES / (length * Float32Array.BYTES_PER_ELEMENT * variants))));
  const kept = new Set(chooseKept(samples.length, Math.ceil(gridBytes / byteLength) - 1, random));
  places = openPlaces(samples.length, kept.size, { candidates, grid });
  results.set(0, { ...first, candidates: places.candidates(0, candidates) });
  const rest = samples.map((_, index) => index).slice(1);
  await run(
    rest.filter((index) => kept.has(index)),
    true,
  );
  keeping = [...results.values()];
  const others = rest.filter((index) => !kept.has(index));
  await run(others.slice(0, 1), false);
  await run(others.slice(1), false);
  return samples.flatMap((_, index) => results.get(index) ?? []);
}
