import type { InputLayout } from '../../backbone/input-layout.ts';
import { cropImage } from '../../image/crop-image.ts';
import { resizeImage } from '../../image/resize-image.ts';
import { turnImage } from '../../image/turn-image.ts';
import type { LabelledRegion, PreparedImage, Random, RgbImage, TrainingSample } from '../../types.ts';
import { toPreparedRegions } from '../supervised/labelled-regions.ts';
import { turnRegion } from './turn-region.ts';

/** A square part of a canvas, larger than what the network is shown of it at a time. */
export interface TrainingWindow {
  readonly itemId: string;
  readonly image: RgbImage;
  /** In pixels of the part; they may reach beyond it. */
  readonly regions: readonly LabelledRegion[];
  /** The label that it was cut out for; absent where it shows nothing in its middle. */
  readonly label?: number | null;
}

/** An image as the network sees it, its regions in its pixels. */
export interface Canvas {
  readonly itemId: string;
  readonly image: RgbImage;
  readonly regions: readonly LabelledRegion[];
}

/** Sides, in pixels of the canvas, of what is kept and of what is shown at a time. */
const [KEPT, SHOWN] = [160, 96];

export interface WindowSides {
  readonly kept: number;
  readonly shown: number;
}

export function windowSides({ canvasWidth, canvasHeight }: InputLayout): WindowSides {
  const side = (wanted: number): number => Math.min(wanted, canvasWidth, canvasHeight);
  return { kept: side(KEPT), shown: side(SHOWN) };
}

export async function toCanvas(
  sample: TrainingSample,
  prepared: PreparedImage,
  { canvasWidth, canvasHeight }: InputLayout,
): Promise<Canvas> {
  const [across, down] = [canvasWidth / prepared.image.width, canvasHeight / prepared.image.height];
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

const moved = ({ xMin, yMin, xMax, yMax, label }: LabelledRegion, left: number, top: number): LabelledRegion => ({
  xMin: xMin - left,
  yMin: yMin - top,
  xMax: xMax - left,
  yMax: yMax - top,
  label,
});

/** The part of the canvas around a place, moved so far that it lies inside. */
export function cutWindow({ itemId, image, regions }: Canvas, x: number, y: number, side: number): TrainingWindow {
  const start = (at: number, size: number): number => Math.max(0, Math.min(size - side, Math.round(at - side / 2)));
  const [left, top] = [start(x, image.width), start(y, image.height)];
  return {
    itemId,
    image: cropImage(image, left, top, side, side),
    regions: regions.map((region) => moved(region, left, top)),
  };
}

export interface Turning {
  readonly rotations: boolean;
  readonly flips: boolean;
}

/** A part of the window of `side` pixels, in a place and one of the allowed orientations by chance. */
export function drawWindow(
  { image, regions }: Pick<TrainingWindow, 'image' | 'regions'>,
  side: number,
  { rotations, flips }: Turning,
  random: Random,
): Pick<TrainingWindow, 'image' | 'regions'> {
  const [left, top] = [random.integer(image.width - side + 1), random.integer(image.height - side + 1)];
  const turn = ([0, 1, 2, 3] as const)[rotations ? random.integer(4) : 0] ?? 0;
  const mirrored = flips && random.integer(2) === 1;
  const part = cropImage(image, left, top, side, side);
  return {
    image: turn === 0 && !mirrored ? part : turnImage(part, turn, mirrored),
    regions: regions.map((region) => turnRegion(moved(region, left, top), turn, mirrored, part)),
  };
}
