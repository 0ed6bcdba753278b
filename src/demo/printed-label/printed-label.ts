import type { Random } from '../../vision/types.ts';
import { clamp01, cloudNoise, hashNoise, valueNoise } from '../picture/noise.ts';
import { drawPlacement, type Placement, toProductX, toProductY } from '../picture/placement.ts';
import { coverage, type Move, type ProductModel, paint, type Rgb, scale, type View } from '../picture/scene.ts';
import { type Artwork, drawArtwork, LABEL, LABEL_CORNER } from './label-artwork.ts';
import { addLabelDefect, LABEL_DEFECTS } from './label-defects.ts';

export interface LabelSample {
  readonly at: Placement;
  readonly artwork: Artwork;
  /** Play between the printing units: shift of the green and the red plate. */
  readonly greenX: number;
  readonly greenY: number;
  readonly redX: number;
  readonly density: number;
  readonly paperSeed: number;
  readonly boardSeed: number;
  readonly pixel: number;
}

/** Coverage of the three inks at a point of the label. */
export interface Inks {
  black: number;
  green: number;
  red: number;
}

/** A printed paper label on a cardboard box. */
export const printedLabel: ProductModel = {
  id: 'printed-label',
  name: 'Printed label',
  defects: LABEL_DEFECTS,
  build(random, view, move) {
    const sample = drawSample(random, view, move);
    const inks: Inks = { black: 0, green: 0, red: 0 };
    return {
      placement: sample.at,
      clean: {
        shade(x, y, out) {
          const px = toProductX(sample.at, x, y);
          const py = toProductY(sample.at, x, y);
          const paper = coverage(outlineDistance(px, py), sample.pixel);
          if (paper < 1) shadeBoard(sample, px, py, out);
          if (paper === 0) return;
          readInks(sample, px, py, inks);
          printOnPaper(sample, px, py, inks, paper, out);
        },
      },
      withDefect: (kind, defectRandom) => addLabelDefect(kind, defectRandom, sample),
    };
  },
};

function drawSample(random: Random, view: View, move: Move): LabelSample {
  const play = (): number => (random.next() - 0.5) * 0.0016;
  return {
    at: drawPlacement(random, move),
    artwork: drawArtwork(view.pixel),
    greenX: play(),
    greenY: play(),
    redX: play(),
    density: 0.9 + random.next() * 0.06,
    paperSeed: random.integer(2 ** 32) | 0,
    boardSeed: random.integer(2 ** 32) | 0,
    pixel: view.pixel,
  };
}

/** Signed distance from the label's rounded outline, negative on the paper. */
export function outlineDistance(px: number, py: number): number {
  const dx = Math.abs(px) - LABEL.right + LABEL_CORNER;
  const dy = Math.abs(py) - LABEL.bottom + LABEL_CORNER;
  const outX = Math.max(dx, 0);
  const outY = Math.max(dy, 0);
  return Math.sqrt(outX * outX + outY * outY) + Math.min(Math.max(dx, dy), 0) - LABEL_CORNER;
}

export function readInks(sample: LabelSample, px: number, py: number, inks: Inks): void {
  const { artwork, greenX, greenY, redX } = sample;
  inks.black = artwork.black.sample(px, py);
  const gx = px - greenX;
  const gy = py - greenY;
  inks.green = artwork.green.sample(gx, gy);
  inks.red = artwork.red.sample(px - redX, py);
}

/** Paper with its fibres, the inks on top of it; `paper` is the share of the pixel that it covers. */
export function printOnPaper(sample: LabelSample, px: number, py: number, inks: Inks, paper: number, out: Rgb): void {
  const { paperSeed } = sample;
  const fibre = valueNoise(px * 130 + py * 40, py * 300, paperSeed) - 0.5;
  const speck = hashNoise(px * 900, py * 900, paperSeed) - 0.5;
  const grain = fibre * 7 + speck * 4 + cloudNoise(px * 9, py * 9, paperSeed) * 2.5;
  paint(out, 240 + grain, 235 + grain, 221 + grain, paper);
  const print = inks.black + inks.green + inks.red;
  if (print === 0) return;
  // Paper drinks ink unevenly: the print carries its fibres.
  const density = paper * clamp01(sample.density + fibre * 0.12 + speck * 0.06);
  paint(out, 36, 112, 74, inks.green * density);
  paint(out, 188, 52, 44, inks.red * density);
  paint(out, 34, 32, 34, inks.black * density);
}

/** Brown cardboard with faint flutes, darker where the label's edge throws its shadow. */
export function shadeBoard(sample: LabelSample, px: number, py: number, out: Rgb): void {
  const { boardSeed } = sample;
  const distance = outlineDistance(px - 0.004, py - 0.005);
  const flutes = Math.sin(py * 2 * Math.PI * 24) * 2.2;
  const fibre = valueNoise(px * 60, py * 240, boardSeed) - 0.5;
  const grain = flutes + fibre * 13 + (hashNoise(px * 700, py * 700, boardSeed) - 0.5) * 9;
  out[0] = 176 + grain;
  out[1] = 138 + grain * 0.9;
  out[2] = 98 + grain * 0.75;
  if (distance < 0.02) scale(out, 1 - 0.32 * Math.exp(-((Math.max(0, distance) / 0.007) ** 2)));
}
