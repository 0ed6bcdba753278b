import type { InputLayout } from '../../backbone/input-layout.ts';
import { cropImage, turnImage } from '../../image/arrange-image.ts';
import { resizeImage } from '../../image/resize-image.ts';
import type { LabelledRegion, PreparedImage, Random, RgbImage, TrainingSample } from '../../types.ts';
import { toPreparedRegions } from '../supervised/labelled-regions.ts';
import type { Augmentation, View } from './merge-views.ts';

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

export function cropSides({ canvasWidth, canvasHeight }: InputLayout): { crop: number; view: number } {
  return {
    crop: Math.min(CROP_SIDE, canvasWidth, canvasHeight),
    view: Math.min(VIEW_SIDE, canvasWidth, canvasHeight),
  };
}

export async function toCanvas(
  sample: TrainingSample,
  prepared: PreparedImage,
  { canvasWidth, canvasHeight }: InputLayout,
): Promise<Canvas> {
  const across = canvasWidth / prepared.image.width;
  const down = canvasHeight / prepared.image.height;
  const regions = toPreparedRegions(sample.regions, prepared).map(({ xMin, yMin, xMax, yMax, label }) => ({
    xMin: xMin * across,
    yMin: yMin * down,
    xMax: xMax * across,
    yMax: yMax * down,
    label,
  }));
  const image = await resizeImage(prepared.image, canvasWidth, canvasHeight);
  return { itemId: sample.itemId, image, regions };
}

const shiftRegion = ({ xMin, yMin, xMax, yMax, label }: LabelledRegion, left: number, top: number): LabelledRegion => ({
  xMin: xMin - left,
  yMin: yMin - top,
  xMax: xMax - left,
  yMax: yMax - top,
  label,
});

/** The square around a place, moved until it lies inside the canvas. */
export function cutCrop({ itemId, image, regions }: Canvas, x: number, y: number, side: number): TrainingCrop {
  const start = (at: number, size: number): number => Math.max(0, Math.min(size - side, Math.round(at - side / 2)));
  const left = start(x, image.width);
  const top = start(y, image.height);
  return {
    itemId,
    image: cropImage(image, left, top, side, side),
    regions: regions.map((region) => shiftRegion(region, left, top)),
  };
}

/** Where a region lies after `turnImage` of an image of `width` × `height` pixels. */
export function turnRegion(
  { xMin, yMin, xMax, yMax, label }: LabelledRegion,
  { turn, mirrored }: View,
  { width, height }: { readonly width: number; readonly height: number },
): LabelledRegion {
  const place = (x: number, y: number): readonly [number, number] => {
    const column = mirrored ? width - x : x;
    switch (turn) {
      case 0:
        return [column, y];
      case 1:
        return [height - y, column];
      case 2:
        return [width - column, height - y];
      case 3:
        return [y, width - column];
    }
  };
  const [ax, ay] = place(xMin, yMin);
  const [bx, by] = place(xMax, yMax);
  return { xMin: Math.min(ax, bx), yMin: Math.min(ay, by), xMax: Math.max(ax, bx), yMax: Math.max(ay, by), label };
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
  const turn = ([0, 1, 2, 3] as const)[rotations ? random.integer(4) : 0] ?? 0;
  const mirrored = flips && random.integer(2) === 1;
  const part = cropImage(image, left, top, side, side);
  return {
    image: turn === 0 && !mirrored ? part : turnImage(part, turn, mirrored),
    regions: regions.map((region) => turnRegion(shiftRegion(region, left, top), { turn, mirrored }, part)),
  };
}
