import { findAlgorithm } from '../algorithms/catalogue.ts';
import type { MemoryState } from '../algorithms/contract/memory-state.ts';
import { inspectedCells, NO_MARGINS, parseIgnoreOuter } from '../anomaly-map/inspected-map.ts';
import { openPatchExtractor } from '../backbone/patch-extractor.ts';
import { openImage } from '../image/decode-image.ts';
import { applyAffine, composeAffine, invertAffine, translation } from '../math/affine.ts';
import { openBankScorer } from '../memory-bank/open-memory-search.ts';
import { decodeModel } from '../model-file/model-file.ts';
import { compileSteps } from '../preprocess/compile-steps.ts';
import type { Affine, BackboneFile, ImageFrame, Rectangle } from '../types.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface ExplainOptions {
  /** Pixels of the original; absent: the place that differs most from all good images. */
  readonly point?: Point;
  readonly ignoreOuter: string;
}

/** How the model makes patches of an image. It is small beside the model file. */
interface PatchRecipe extends Pick<MemoryState, 'layout' | 'projection'>, DecodedSteps {}

type DecodedSteps = ReturnType<typeof decodeModel>['preprocessing'];

/** A place of an image, and the training images that are most like it there. */
export interface ExplainedPlace {
  /** The patch and its neighbours, pixels of the original. */
  readonly place: Rectangle;
  /** The middle of the patch, pixels of the original. */
  readonly middle: Point;
  /** What the model compares. [dims] */
  readonly patch: Float32Array;
  readonly frame: ImageFrame;
  readonly recipe: PatchRecipe;
  /** See `TrainingSample.content`; the nearest first. Undefined: the model does not know where it has its memory from. */
  readonly sources: readonly string[] | undefined;
}

/** The patch of a training image that is most like the patch asked for. */
export interface MatchingPatch {
  /** Which of the given images. */
  readonly image: number;
  /** Between the two patches, as the model measures it without weights. */
  readonly distance: number;
  readonly place: Rectangle;
  /** From pixels of the training image to those of the image asked about. */
  readonly toAsked: Affine;
  /** Whether both were brought to one position by preprocessing. Otherwise the patches lie on each other. */
  readonly registered: boolean;
}

/** The patch and one cell around it, which the network averages. */
const PATCH_REACH = 1;
const MOST_SOURCES = 50;

/** Prepares images as the model does, and extracts their patches. */
async function withPatches<Result>(
  { layout, projection, steps, references }: PatchRecipe,
  backbone: BackboneFile,
  use: (extract: (bytes: Uint8Array) => Promise<Extracted>) => Promise<Result>,
): Promise<Result> {
  const prepare = await compileSteps(steps, new Map(Object.entries(references)));
  const extractor = await openPatchExtractor(backbone, layout, projection);
  const extract = async (bytes: Uint8Array) => {
    const { image, ...prepared } = await prepare(await openImage(bytes));
    const frame: ImageFrame = { ...prepared, image: { width: image.width, height: image.height } };
    return { frame, features: await extractor.extract(image) };
  };
  return use(extract).finally(() => extractor.dispose());
}

interface Extracted {
  readonly frame: ImageFrame;
  readonly features: Awaited<ReturnType<Awaited<ReturnType<typeof openPatchExtractor>>['extract']>>;
}

/** A cell, pixels of the original. */
function placeOf(cell: number, { frame, features }: Extracted) {
  const { image, toOriginal, originalWidth, originalHeight } = frame;
  const [width, height] = [image.width / features.columns, image.height / features.rows];
  const [column, row] = [cell % features.columns, Math.floor(cell / features.columns)];
  const [x, y] = applyAffine(toOriginal, (column + 0.5) * width, (row + 0.5) * height);
  const ends = [-PATCH_REACH, 1 + PATCH_REACH];
  const corners = ends.flatMap((down) =>
    ends.map((right) => applyAffine(toOriginal, (column + right) * width, (row + down) * height)),
  );
  const within = (value: number, size: number): number => Math.round(Math.min(size, Math.max(0, value)));
  const xs = corners.map(([cornerX]) => within(cornerX, originalWidth));
  const ys = corners.map(([, cornerY]) => within(cornerY, originalHeight));
  const place = { xMin: Math.min(...xs), yMin: Math.min(...ys), xMax: Math.max(...xs), yMax: Math.max(...ys) };
  return { place, middle: { x, y } };
}

function cellAt({ x, y }: Point, { frame, features }: Extracted): number {
  const { image, toOriginal } = frame;
  const [preparedX, preparedY] = applyAffine(invertAffine(toOriginal), x, y);
  const along = (value: number, size: number, cells: number): number =>
    Math.min(cells - 1, Math.max(0, Math.floor((value / size) * cells)));
  const row = along(preparedY, image.height, features.rows);
  return row * features.columns + along(preparedX, image.width, features.columns);
}

/** The inspected cell that differs most from the memory. */
async function mostDifferentCell({ frame, features }: Extracted, memory: MemoryState, ignoreOuter: string) {
  const scorer = await openBankScorer(memory, { neighbours: 1, smoothing: memory.smoothing });
  const { rows, columns, data } = await scorer.score(features).finally(() => scorer.dispose());
  const inspected = inspectedCells(rows, columns, frame, parseIgnoreOuter(ignoreOuter));
  let highest = 0;
  for (let cell = 1; cell < data.length; cell++) {
    const isBetter = data[cell]! > data[highest]! || inspected[highest] === 0;
    if (inspected[cell] === 1 && isBetter) highest = cell;
  }
  return highest;
}

function squaredDistance(patch: Float32Array, rows: Float32Array, row: number): number {
  let sum = 0;
  for (let d = 0; d < patch.length; d++) sum += (patch[d]! - rows[row * patch.length + d]!) ** 2;
  return sum;
}

/** The images of the members that are nearest to the patch, by the weighted distance of the model. */
function nearestSources(patch: Float32Array, { bank, weights, sources }: MemoryState): string[] | undefined {
  if (!sources) return undefined;
  const nearest = new Float64Array(sources.images.length).fill(Number.POSITIVE_INFINITY);
  for (let member = 0; member < bank.rows; member++) {
    const distance = squaredDistance(patch, bank.data, member) * (weights?.[member] ?? 1) ** 2;
    const image = sources.imageOf[member]!;
    nearest[image] = Math.min(nearest[image]!, distance);
  }
  return [...nearest.keys()]
    .filter((image) => Number.isFinite(nearest[image]))
    .sort((one, other) => nearest[one]! - nearest[other]!)
    .slice(0, MOST_SOURCES)
    .map((image) => sources.images[image]!);
}

/**
 * Finds the training images that a place of an image is compared with.
 * @returns undefined where the algorithm keeps no patches of good images
 * @throws VisionError `invalid_model`, `invalid_backbone`, and those of `decodeImage`
 */
export async function explainPlace(
  modelFile: Uint8Array,
  backbone: BackboneFile,
  image: Uint8Array,
  { point, ignoreOuter }: ExplainOptions,
): Promise<ExplainedPlace | undefined> {
  const { algorithmId, payload, preprocessing } = decodeModel(modelFile);
  const memory = await findAlgorithm(algorithmId)?.readMemory?.(payload);
  if (!memory) return undefined;
  const { layout, projection } = memory;
  const recipe: PatchRecipe = { layout, projection, ...preprocessing };
  return withPatches(recipe, backbone, async (extract) => {
    const extracted = await extract(image);
    const cell = point ? cellAt(point, extracted) : await mostDifferentCell(extracted, memory, ignoreOuter);
    const { columns, data } = extracted.features.patches;
    const patch = data.slice(cell * columns, (cell + 1) * columns);
    const { inspected: _, ...frame } = extracted.frame;
    return { ...placeOf(cell, extracted), patch, frame, recipe, sources: nearestSources(patch, memory) };
  });
}

/**
 * The nearest patch among all patches of some training images.
 * @param asked by {@link explainPlace} with the same model
 * @returns undefined where no image has an inspected patch
 * @throws as `explainPlace`
 */
export async function matchPatch(
  backbone: BackboneFile,
  images: readonly Uint8Array[],
  asked: Pick<ExplainedPlace, 'patch' | 'middle' | 'frame' | 'recipe'>,
): Promise<MatchingPatch | undefined> {
  const registered = asked.recipe.steps.some(({ name }) => name === 'align');
  return withPatches(asked.recipe, backbone, async (extract) => {
    let best: { distance: number; image: number; cell: number; extracted: Extracted } | undefined;
    for (const [image, bytes] of images.entries()) {
      const extracted = await extract(bytes);
      const { rows, columns, patches } = extracted.features;
      const inspected = inspectedCells(rows, columns, extracted.frame, NO_MARGINS);
      for (let cell = 0; cell < patches.rows; cell++) {
        if (inspected[cell] === 0) continue;
        const distance = squaredDistance(asked.patch, patches.data, cell);
        if (!best || distance < best.distance) best = { distance, image, cell, extracted };
      }
    }
    if (!best) return undefined;
    const { place, middle } = placeOf(best.cell, best.extracted);
    const toAsked = pathBetween(best.extracted.frame, asked.frame);
    const [x, y] = applyAffine(toAsked, middle.x, middle.y);
    const shift = translation(asked.middle.x - x, asked.middle.y - y);
    return {
      image: best.image,
      distance: Math.sqrt(best.distance),
      place,
      toAsked: registered ? toAsked : composeAffine(shift, toAsked),
      registered,
    };
  });
}

/** From one original to the other, by what both are squeezed to for the network. */
function pathBetween(from: ImageFrame, to: ImageFrame): Affine {
  const scale = {
    a: to.image.width / from.image.width,
    b: 0,
    c: 0,
    d: 0,
    e: to.image.height / from.image.height,
    f: 0,
  };
  return composeAffine(to.toOriginal, composeAffine(scale, invertAffine(from.toOriginal)));
}
