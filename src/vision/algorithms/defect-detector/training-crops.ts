import type { InputLayout } from '../../backbone/input-layout.ts';
import { cropImage } from '../../image/arrange-image.ts';
import { resizeImage } from '../../image/resize-image.ts';
import { IDENTITY, translation } from '../../math/affine.ts';
import { median } from '../../math/quantile.ts';
import { sampleIndices } from '../../math/random.ts';
import { transformRectangle } from '../../math/rectangle.ts';
import { prefetch } from '../../onnx/prefetch.ts';
import type { LabelledRegion, Random, RgbImage, TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { isInImage, toPreparedRegions } from '../supervised/labelled-regions.ts';
import { type CellPredictor, STRIDE } from './detector-network.ts';
import { type Augmentation, type View, viewImage, viewTransform } from './views.ts';

/** An image at the network's scale, with its regions in pixels of it. */
export interface Canvas {
  readonly itemId: string;
  readonly image: RgbImage;
  /** They may reach beyond the image. */
  readonly regions: readonly LabelledRegion[];
}

/** A square cut-out of a canvas, larger than what the network sees of it in one step. */
export interface TrainingCrop extends Canvas {
  /** Class of the defect in its middle; absent: it shows a good place. */
  readonly label?: number | null;
}

/** Sides of a crop and of the part that the network sees in one step, in pixels of the canvas. */
const CROP_SIDE = 160;
const VIEW_SIDE = 96;
/** Places at most this far outside of a region count as near, in pixels of the canvas. */
const RIM = 4;

/** The network sees about 90 pixels around a cell: images whose usual defect is larger than this are made smaller. */
const USUAL_DEFECT = 56;
const CANVAS_STEP = 32;
const MIN_CANVAS = 96;
const MEASURED_IMAGES = 24;

/** Crops over all images; they bound the memory. */
const DEFECT_CROPS = 800;
const GOOD_CROPS = 400;
const MOST_OF_ONE_IMAGE = 8;

/** Hard negative mining: images searched, crops of each, least distance between their centres in pixels. */
const SEARCHED_IMAGES = 80;
const HARD_CROPS = 5;
const HARD_DISTANCE = 48;
/** Places with a lower probability of a defect are easy. */
const EASY = 0.15;

export function cropSides({ canvasWidth, canvasHeight }: InputLayout): { crop: number; view: number } {
  return {
    crop: Math.min(CROP_SIDE, canvasWidth, canvasHeight),
    view: Math.min(VIEW_SIDE, canvasWidth, canvasHeight),
  };
}

/** Whether a place lies in one of the regions or right beside it. */
export const isNear = (regions: readonly LabelledRegion[], x: number, y: number): boolean =>
  regions.some(({ xMin, yMin, xMax, yMax }) => x > xMin - RIM && x < xMax + RIM && y > yMin - RIM && y < yMax + RIM);

/** The sample's image on the layout's canvas. @throws what the sample's `load` throws */
export async function loadCanvas(sample: TrainingSample, { canvasWidth, canvasHeight }: InputLayout): Promise<Canvas> {
  const prepared = await sample.load();
  const scaling = { ...IDENTITY, a: canvasWidth / prepared.image.width, e: canvasHeight / prepared.image.height };
  const regions = toPreparedRegions(sample.regions, prepared).map((region) => transformRectangle(region, scaling));
  return { itemId: sample.itemId, image: await resizeImage(prepared.image, canvasWidth, canvasHeight), regions };
}

/** The square around a place, moved until it lies inside the canvas. */
export function cutCrop({ itemId, image, regions }: Canvas, x: number, y: number, side: number): TrainingCrop {
  const start = (at: number, size: number): number => Math.max(0, Math.min(size - side, Math.round(at - side / 2)));
  const left = start(x, image.width);
  const top = start(y, image.height);
  return {
    itemId,
    image: cropImage(image, left, top, side, side),
    regions: regions.map((region) => transformRectangle(region, translation(-left, -top))),
  };
}

/** Augmentation: a part of the crop of `side` pixels, at a random place and in a random allowed orientation. */
export function augmentCrop(
  { image, regions }: Pick<Canvas, 'image' | 'regions'>,
  side: number,
  { rotations, flips }: Augmentation,
  random: Random,
): Pick<Canvas, 'image' | 'regions'> {
  const left = random.integer(image.width - side + 1);
  const top = random.integer(image.height - side + 1);
  const turn = (rotations ? random.integer(4) : 0) as View['turn'];
  const view = { turn, mirrored: flips && random.integer(2) === 1 };
  const shift = translation(-left, -top);
  const toView = viewTransform(view, side, side);
  return {
    image: viewImage(cropImage(image, left, top, side, side), view),
    regions: regions.map((region) => transformRectangle(transformRectangle(region, shift), toView)),
  };
}

/** Side of the samples' usual defect, in pixels of the canvas. */
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
  return sides.length > 0 ? median(sides) : USUAL_DEFECT;
}

/** The layout, on a smaller canvas where the usual defect is larger than what the network sees at once. */
export async function fitLayout(
  layout: InputLayout,
  samples: readonly TrainingSample[],
  random: Random,
): Promise<InputLayout> {
  const scale = USUAL_DEFECT / (await usualDefect(samples, layout, random));
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

/** The samples with their canvases, loaded a few ahead. */
const loadCanvases = (samples: readonly TrainingSample[], layout: InputLayout) =>
  prefetch(samples, async (sample) => ({ sample, canvas: await loadCanvas(sample, layout) }));

/** Class numbers of the regions in ascending order; regions without a number last. */
export function labelsOf(samples: readonly Pick<TrainingSample, 'regions'>[]): (number | null)[] {
  const found = new Set(samples.flatMap(({ regions }) => regions.map(({ label }) => label)));
  const numbers = [...found].filter((label) => label !== null).sort((a, b) => a - b);
  return found.has(null) ? [...numbers, null] : numbers;
}

export interface CropCollection {
  readonly layout: InputLayout;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Indices of the regions to cut out, by sample: all regions, or equally many of each class. */
function chooseRegions(samples: readonly TrainingSample[], random: Random): Map<TrainingSample, Set<number>> {
  const regions = samples.flatMap((sample) =>
    sample.regions.map((region, index) => ({ sample, index, label: region.label })),
  );
  for (let last = regions.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [regions[last], regions[other]] = [regions[other]!, regions[last]!];
  }
  const queues = labelsOf(samples).map((label) => regions.filter((region) => region.label === label));
  const chosen = new Map<TrainingSample, Set<number>>();
  let left = DEFECT_CROPS;
  while (left > 0 && queues.some((queue) => queue.length > 0))
    for (const queue of queues) {
      const next = queue.pop();
      if (!next || left-- <= 0) continue;
      chosen.set(next.sample, (chosen.get(next.sample) ?? new Set()).add(next.index));
    }
  return chosen;
}

/**
 * Crops around the samples' rectangles, and at random places of good images. NG samples without rectangles give none:
 * their defects may lie anywhere.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function collectCrops(
  samples: readonly TrainingSample[],
  { layout, random, signal }: CropCollection,
  report: (done: number, total: number) => void,
): Promise<TrainingCrop[]> {
  const chosen = chooseRegions(samples, random);
  const used = samples.filter((sample) => sample.good || chosen.has(sample));
  const good = used.filter((sample) => sample.good).length;
  const perGood = Math.min(MOST_OF_ONE_IMAGE, GOOD_CROPS / Math.max(1, good));
  const side = cropSides(layout).crop;
  const crops: TrainingCrop[] = [];
  let done = 0;
  let owed = 0;
  for await (const { sample, canvas } of loadCanvases(used, layout)) {
    throwIfCancelled(signal);
    const { width, height } = canvas.image;
    for (const index of chosen.get(sample) ?? []) {
      const region = canvas.regions[index]!;
      if (!isInImage(region, width, height)) continue;
      const { xMin, xMax, yMin, yMax, label } = region;
      crops.push({ ...cutCrop(canvas, (xMin + xMax) / 2, (yMin + yMax) / 2, side), label });
    }
    for (owed += sample.good ? perGood : 0; owed >= 1; owed--)
      crops.push(cutCrop(canvas, random.next() * width, random.next() * height, side));
    report(++done, used.length);
  }
  return crops;
}

/** Hard negative mining: crops around good places that the network takes for defects, in some of the samples. */
export async function collectHardCrops(
  samples: readonly TrainingSample[],
  predictor: CellPredictor,
  { layout, random, signal }: CropCollection,
): Promise<TrainingCrop[]> {
  const annotated = samples.filter(({ good, regions }) => good || regions.length > 0);
  const searched = Array.from(sampleIndices(annotated.length, SEARCHED_IMAGES, random), (index) => annotated[index]!);
  const side = cropSides(layout).crop;
  const crops: TrainingCrop[] = [];
  for await (const { canvas } of loadCanvases(searched, layout)) {
    throwIfCancelled(signal);
    const { rows, columns, patches } = await predictor.predict(canvas.image);
    const defectProbability = (cell: number): number => 1 - patches.data[cell * patches.columns]!;
    const suspects = Array.from({ length: rows * columns }, (_, cell) => cell)
      .filter((cell) => defectProbability(cell) > EASY)
      .sort((a, b) => defectProbability(b) - defectProbability(a) || a - b);
    const places: { x: number; y: number }[] = [];
    for (const cell of suspects) {
      if (places.length >= HARD_CROPS) break;
      const x = ((cell % columns) + 0.5) * STRIDE;
      const y = (Math.floor(cell / columns) + 0.5) * STRIDE;
      const isApart = places.every((one) => Math.max(Math.abs(one.x - x), Math.abs(one.y - y)) >= HARD_DISTANCE);
      if (isApart && !isNear(canvas.regions, x, y)) places.push({ x, y });
    }
    crops.push(...places.map(({ x, y }) => cutCrop(canvas, x, y, side)));
  }
  return crops;
}
