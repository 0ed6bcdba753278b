import type { InputLayout } from '../../backbone/input-layout.ts';
import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import { cropImage } from '../../image/arrange-image.ts';
import { resizeImage } from '../../image/resize-image.ts';
import { composeAffine, IDENTITY, translation } from '../../math/affine.ts';
import { median } from '../../math/quantile.ts';
import { sampleIndices } from '../../math/random.ts';
import { transformRectangle } from '../../math/rectangle.ts';
import { collectGarbage } from '../../onnx/collect-garbage.ts';
import { prefetch } from '../../onnx/prefetch.ts';
import type { LabelledRegion, Random, Rectangle, RgbImage, TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { isInImage, toPreparedRegions } from '../supervised/labelled-regions.ts';
import type { CellPredictor, LevelExtractor } from './detector-network.ts';
import { encodeFeatures, type FeatureScale } from './feature-scale.ts';
import { type View, viewImage, viewTransform } from './views.ts';

/** An image at the network's scale, with its regions in cells of it. */
export interface Canvas {
  readonly itemId: string;
  readonly image: RgbImage;
  /** They may reach beyond the image. */
  readonly regions: readonly LabelledRegion[];
}

/** The features of a square part of a canvas in one orientation, larger than what the network sees of it in one step. */
export interface TrainingCrop {
  readonly itemId: string;
  /** In cells. */
  readonly side: number;
  /** In cells of the crop; they may reach beyond it. */
  readonly regions: readonly LabelledRegion[];
  /** Class of the defect in its middle; absent: it shows a good place. */
  readonly label?: number | null;
  /** [side · side, channels], see `encodeFeatures` */
  readonly codes: Int8Array;
}

/** Sides of a crop and of the part that the network sees in one step, in cells. */
const CROP_SIDE = 14;
const VIEW_SIDE = 12;
/** The backbone sees so many cells more around a crop: the features of an image have no edge there. */
const MARGIN = 4;
/** Places at most this far outside of a region count as near, in cells. */
export const RIM = 0.5;

/** The network sees about eleven cells: images whose usual defect is larger than this are made smaller. */
const USUAL_DEFECT = 7;
const CANVAS_STEP = 32;
const MIN_CANVAS = 96;
const MEASURED_IMAGES = 24;

/** Crops over all images. They bound the memory, which may be less where the backbone has many channels. */
const DEFECT_CROPS = 5000;
const GOOD_CROPS = 700;
const CROP_BYTES = 96 * 2 ** 20;
/** Orientations that a defect is learned in, where there are very many defects. */
const LEAST_VIEWS = 4;
const MOST_OF_ONE_IMAGE = 8;

/** Hard negative mining: images searched, crops kept of one and of all, least distance between two of one in cells. */
const SEARCHED_IMAGES = 160;
const HARD_OF_ONE_IMAGE = 20;
const HARD_CROPS = 400;
const HARD_DISTANCE = 6;
/** Places with a lower probability of a defect are easy. */
const EASY = 0.15;

/** In cells. */
export function cropSides({ canvasWidth, canvasHeight }: InputLayout, cellSide: number) {
  const most = Math.floor(Math.min(canvasWidth, canvasHeight) / cellSide);
  return { crop: Math.min(CROP_SIDE, most), view: Math.min(VIEW_SIDE, most) };
}

/** Whether a place lies in one of the regions or right beside it. In cells. */
const isNear = (regions: readonly LabelledRegion[], x: number, y: number): boolean =>
  regions.some(({ xMin, yMin, xMax, yMax }) => x > xMin - RIM && x < xMax + RIM && y > yMin - RIM && y < yMax + RIM);

/** The sample's image on the layout's canvas. @param cellSide in pixels. @throws what the sample's `load` throws */
export async function loadCanvas(sample: TrainingSample, layout: InputLayout, cellSide: number): Promise<Canvas> {
  const { canvasWidth, canvasHeight } = layout;
  const prepared = await sample.load();
  const a = canvasWidth / prepared.image.width / cellSide;
  const e = canvasHeight / prepared.image.height / cellSide;
  const regions = toPreparedRegions(sample.regions, prepared).map((region) =>
    transformRectangle(region, { ...IDENTITY, a, e }),
  );
  return { itemId: sample.itemId, image: await resizeImage(prepared.image, canvasWidth, canvasHeight), regions };
}

/** The cells of a square around a place, moved until it lies inside the canvas, and those that the backbone sees. */
export function placeCrop(columns: number, rows: number, x: number, y: number, side: number) {
  const start = (at: number, size: number): number => Math.max(0, Math.min(size - side, Math.round(at - side / 2)));
  const xMin = start(x, columns);
  const yMin = start(y, rows);
  const crop = { xMin, yMin, xMax: xMin + side, yMax: yMin + side };
  const seen = {
    xMin: Math.max(0, xMin - MARGIN),
    yMin: Math.max(0, yMin - MARGIN),
    xMax: Math.min(columns, crop.xMax + MARGIN),
    yMax: Math.min(rows, crop.yMax + MARGIN),
  };
  return { crop, seen };
}

export interface CropCollection {
  readonly layout: InputLayout;
  readonly extractor: LevelExtractor;
  readonly scale: FeatureScale;
  /** Orientations that a crop is learned in. */
  readonly views: readonly View[];
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** What a crop shows. */
interface CropPlace {
  /** Its middle, in cells of the canvas. */
  readonly x: number;
  readonly y: number;
  readonly view: View;
  readonly label?: number | null;
}

/** The features of a crop. */
async function cutCrop(
  { itemId, image, regions }: Canvas,
  { x, y, view, ...labelled }: CropPlace,
  { layout, extractor, scale }: CropCollection,
): Promise<TrainingCrop> {
  const { cellSide } = scale;
  const { crop: side } = cropSides(layout, cellSide);
  const columns = Math.floor(image.width / cellSide);
  const rows = Math.floor(image.height / cellSide);
  const { crop, seen } = placeCrop(columns, rows, x, y, side);
  const [width, height] = [seen.xMax - seen.xMin, seen.yMax - seen.yMin];
  const inPixels = [seen.xMin, seen.yMin, width, height].map((cells) => cells * cellSide);
  const part = cropImage(image, ...(inPixels as [number, number, number, number]));
  const level = await extractor.extract(viewImage(part, view));
  const inSeen = transformRectangle(crop, translation(-seen.xMin, -seen.yMin));
  const place = transformRectangle(inSeen, viewTransform(view, width, height));
  const [viewWidth, viewHeight] = view.turn % 2 === 0 ? [width, height] : [height, width];
  const toView = composeAffine(viewTransform(view, side, side), translation(-crop.xMin, -crop.yMin));
  return {
    itemId,
    side,
    regions: regions.map((region) => transformRectangle(region, toView)),
    codes: encodeFeatures(level, { width: viewWidth, height: viewHeight }, place, scale),
    ...labelled,
  };
}

async function cutCrops(canvas: Canvas, places: readonly CropPlace[], collection: CropCollection) {
  const crops: TrainingCrop[] = [];
  for await (const crop of prefetch(places, (place) => cutCrop(canvas, place, collection))) crops.push(crop);
  return crops;
}

/** What the network sees of a crop in one step. */
export interface CropPart {
  /** [side · side, channels], see `encodeFeatures` */
  readonly codes: Int8Array;
  /** In cells of the part. */
  readonly regions: readonly LabelledRegion[];
}

/** Augmentation: a square of the crop of `side` cells at a random place. */
export function cutPart({ codes, regions, side: cropSide }: TrainingCrop, side: number, random: Random): CropPart {
  const left = random.integer(cropSide - side + 1);
  const top = random.integer(cropSide - side + 1);
  const channels = codes.length / cropSide ** 2;
  const part = new Int8Array(side * side * channels);
  for (let row = 0; row < side; row++) {
    const from = ((top + row) * cropSide + left) * channels;
    part.set(codes.subarray(from, from + side * channels), row * side * channels);
  }
  const shift = translation(-left, -top);
  return { codes: part, regions: regions.map((region) => transformRectangle(region, shift)) };
}

/** Side of the samples' usual defect, in pixels of the canvas; 0 without one. */
async function usualDefect(samples: readonly TrainingSample[], layout: InputLayout, random: Random): Promise<number> {
  const annotated = samples.filter(({ regions }) => regions.length > 0);
  const sides: number[] = [];
  for (const index of sampleIndices(annotated.length, MEASURED_IMAGES, random)) {
    const sample = annotated[index]!;
    const prepared = await sample.load();
    const { width, height } = prepared.image;
    const scale = Math.sqrt((layout.canvasWidth * layout.canvasHeight) / (width * height));
    for (const { xMin, xMax, yMin, yMax } of toPreparedRegions(sample.regions, prepared))
      sides.push(scale * Math.sqrt((xMax - xMin) * (yMax - yMin)));
  }
  return sides.length > 0 ? median(sides) : 0;
}

/** The layout, on a smaller canvas where the usual defect is larger than what the network sees at once. */
export async function fitLayout(
  layout: InputLayout,
  cellSide: number,
  samples: readonly TrainingSample[],
  random: Random,
): Promise<InputLayout> {
  const scale = (USUAL_DEFECT * cellSide) / (await usualDefect(samples, layout, random));
  if (scale >= 1) return layout;
  const shrink = (side: number): number =>
    Math.min(side, Math.max(MIN_CANVAS, Math.round((side * scale) / CANVAS_STEP) * CANVAS_STEP));
  const canvasWidth = shrink(layout.canvasWidth);
  const canvasHeight = shrink(layout.canvasHeight);
  return {
    canvasWidth,
    canvasHeight,
    tileWidth: Math.min(layout.tileWidth, canvasWidth),
    tileHeight: Math.min(layout.tileHeight, canvasHeight),
  };
}

interface LoadedCanvas {
  readonly sample: TrainingSample;
  readonly canvas: Canvas;
}

/** The samples with their canvases, loaded a few ahead. */
const loadCanvases = (samples: readonly TrainingSample[], { layout, scale }: CropCollection) =>
  prefetch(
    samples,
    async (sample): Promise<LoadedCanvas> => ({ sample, canvas: await loadCanvas(sample, layout, scale.cellSide) }),
  );

/** Class numbers of the regions in ascending order; regions without a number last. */
export function labelsOf(samples: readonly Pick<TrainingSample, 'regions'>[]): (number | null)[] {
  const found = new Set(samples.flatMap(({ regions }) => regions.map(({ label }) => label)));
  const numbers = [...found].filter((label) => label !== null).sort((a, b) => a - b);
  return found.has(null) ? [...numbers, null] : numbers;
}

/** Indices of the regions to cut out, by sample: all regions, or equally many of each class. */
function chooseRegions(
  samples: readonly TrainingSample[],
  most: number,
  random: Random,
): Map<TrainingSample, Set<number>> {
  const regions = samples.flatMap((sample) =>
    sample.regions.map((region, index) => ({ sample, index, label: region.label })),
  );
  for (let last = regions.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [regions[last], regions[other]] = [regions[other]!, regions[last]!];
  }
  const queues = labelsOf(samples).map((label) => regions.filter((region) => region.label === label));
  const chosen = new Map<TrainingSample, Set<number>>();
  let left = most;
  while (left > 0 && queues.some((queue) => queue.length > 0))
    for (const queue of queues) {
      const next = queue.pop();
      if (!next || left-- <= 0) continue;
      chosen.set(next.sample, (chosen.get(next.sample) ?? new Set()).add(next.index));
    }
  return chosen;
}

/** Part of the crops that the memory holds. */
function affordable({ layout, scale }: CropCollection): number {
  const bytes = cropSides(layout, scale.cellSide).crop ** 2 * scale.mean.length;
  return Math.min(1, CROP_BYTES / ((DEFECT_CROPS + GOOD_CROPS) * bytes));
}

/**
 * Crops around the samples' rectangles, each in several orientations, and at random places of good images. NG samples
 * without rectangles give none: their defects may lie anywhere.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function collectCrops(
  samples: readonly TrainingSample[],
  collection: CropCollection,
  report: (done: number, total: number) => void,
): Promise<TrainingCrop[]> {
  const { random, signal, scale, views } = collection;
  const part = affordable(collection);
  const most = part * DEFECT_CROPS;
  const chosen = chooseRegions(samples, Math.floor(most / LEAST_VIEWS), random);
  const defects = [...chosen.values()].reduce((sum, { size }) => sum + size, 0);
  const viewsOfDefect = Math.floor(most / defects);
  const used = samples.filter((sample) => sample.good || chosen.has(sample));
  const good = used.filter((sample) => sample.good).length;
  const perGood = Math.min(MOST_OF_ONE_IMAGE, (part * GOOD_CROPS) / Math.max(1, good));
  const crops: TrainingCrop[] = [];
  let done = 0;
  let owed = 0;
  for await (const { sample, canvas } of loadCanvases(used, collection)) {
    throwIfCancelled(signal);
    const columns = canvas.image.width / scale.cellSide;
    const rows = canvas.image.height / scale.cellSide;
    const places: CropPlace[] = [];
    for (const index of chosen.get(sample) ?? []) {
      const region = canvas.regions[index]!;
      if (!isInImage(region, columns, rows)) continue;
      for (const at of sampleIndices(views.length, viewsOfDefect, random))
        places.push({ ...middleOf(region), view: views[at]!, label: region.label });
    }
    for (owed += sample.good ? perGood : 0; owed >= 1; owed--)
      places.push({ x: random.next() * columns, y: random.next() * rows, view: oneOf(views, random) });
    crops.push(...(await cutCrops(canvas, places, collection)));
    collectGarbage({ type: 'minor' });
    report(++done, used.length);
  }
  return crops;
}

const oneOf = (views: readonly View[], random: Random): View => views[random.integer(views.length)]!;

const middleOf = ({ xMin, yMin, xMax, yMax }: Rectangle) => ({ x: (xMin + xMax) / 2, y: (yMin + yMax) / 2 });

/** A good place that the network takes for a defect. */
interface HardPlace {
  readonly sample: TrainingSample;
  /** In cells of the canvas. */
  readonly x: number;
  readonly y: number;
  readonly probability: number;
}

/** The good places of an image where the network finds a defect most probable, the most probable first. */
function findHardPlaces(
  sample: TrainingSample,
  regions: readonly LabelledRegion[],
  { rows, columns, patches }: PatchFeatures,
): HardPlace[] {
  const defectProbability = (cell: number): number => 1 - patches.data[cell * patches.columns]!;
  const suspects = Array.from({ length: rows * columns }, (_, cell) => cell)
    .filter((cell) => defectProbability(cell) > EASY)
    .sort((a, b) => defectProbability(b) - defectProbability(a) || a - b);
  const places: HardPlace[] = [];
  for (const cell of suspects) {
    if (places.length >= HARD_OF_ONE_IMAGE) break;
    const x = (cell % columns) + 0.5;
    const y = Math.floor(cell / columns) + 0.5;
    const isApart = places.every((one) => Math.max(Math.abs(one.x - x), Math.abs(one.y - y)) >= HARD_DISTANCE);
    if (isApart && !isNear(regions, x, y)) places.push({ sample, x, y, probability: defectProbability(cell) });
  }
  return places;
}

/**
 * Hard negative mining: crops around the good places of the samples that the network most takes for defects. Some images
 * have many of them, most have none.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function collectHardCrops(
  samples: readonly TrainingSample[],
  predictor: CellPredictor,
  collection: CropCollection,
): Promise<TrainingCrop[]> {
  const { random, signal, views } = collection;
  const annotated = samples.filter(({ good, regions }) => good || regions.length > 0);
  const searched = Array.from(sampleIndices(annotated.length, SEARCHED_IMAGES, random), (index) => annotated[index]!);
  const found: HardPlace[] = [];
  const predict = async ({ sample, canvas: { image, regions } }: LoadedCanvas) =>
    findHardPlaces(sample, regions, await predictor.predict(image));
  for await (const places of prefetch(loadCanvases(searched, collection), predict, 1)) {
    throwIfCancelled(signal);
    collectGarbage({ type: 'minor' });
    found.push(...places);
  }
  const hardest = found.sort((a, b) => b.probability - a.probability).slice(0, HARD_CROPS);
  // The images are loaded again: all of them at once take too much memory.
  const used = new Set(hardest.map(({ sample }) => sample));
  const crops: TrainingCrop[] = [];
  for await (const { sample, canvas } of loadCanvases([...used], collection)) {
    throwIfCancelled(signal);
    const places = hardest
      .filter((one) => one.sample === sample)
      .map(({ x, y }): CropPlace => ({ x, y, view: oneOf(views, random) }));
    crops.push(...(await cutCrops(canvas, places, collection)));
    collectGarbage({ type: 'minor' });
  }
  return crops;
}
