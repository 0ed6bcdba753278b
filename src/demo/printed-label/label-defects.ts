import type { Random } from '../../vision/types.ts';
import { layOutText } from '../ink/stroke-font.ts';
import { createBlob, widen } from '../marks/blob.ts';
import { createCurve } from '../marks/curve.ts';
import { clamp01, cloudNoise, valueNoise } from '../picture/noise.ts';
import { boxInFrame, toProductX, toProductY } from '../picture/placement.ts';
import { type Box, coverage, type DefectScene, type Rgb } from '../picture/scene.ts';
import { BARCODE, drawArtwork, LABEL, letterBox, TEXT_LINES } from './label-artwork.ts';
import { type Inks, type LabelSample, outlineDistance, printOnPaper, readInks, shadeBoard } from './printed-label.ts';

export const LABEL_DEFECTS = [
  'missing_character',
  'misprint',
  'smudge',
  'barcode_void',
  'ink_spot',
  'scratch',
  'stain',
  'torn_corner',
] as const;

/** What a defect changes: the print, the paper's share of the pixel, or the finished colour. */
interface Change {
  readonly box: Box;
  inks?(px: number, py: number, inks: Inks): void;
  /** Share of the paper that is left. */
  paper?(px: number, py: number): number;
  colour?(px: number, py: number, out: Rgb): void;
}

type Create = (random: Random, sample: LabelSample) => Change;

const CHANGES: Readonly<Record<(typeof LABEL_DEFECTS)[number], Create>> = {
  missing_character: createMissingCharacter,
  misprint: createMisprint,
  smudge: createSmudge,
  barcode_void: createBarcodeVoid,
  ink_spot: createInkSpot,
  scratch: createScratch,
  stain: createStain,
  torn_corner: createTornCorner,
};

export function addLabelDefect(kind: string, random: Random, sample: LabelSample): DefectScene {
  const create = CHANGES[kind as (typeof LABEL_DEFECTS)[number]];
  const change = create(random, sample);
  const inks: Inks = { black: 0, green: 0, red: 0 };
  return {
    box: boxInFrame(sample.at, change.box),
    shade(x, y, out) {
      const px = toProductX(sample.at, x, y);
      const py = toProductY(sample.at, x, y);
      const paper = coverage(outlineDistance(px, py), sample.pixel) * (change.paper?.(px, py) ?? 1);
      if (paper < 1) shadeBoard(sample, px, py, out);
      if (paper === 0) return;
      readInks(sample, px, py, inks);
      change.inks?.(px, py, inks);
      printOnPaper(sample, px, py, inks, paper, out);
      change.colour?.(px, py, out);
    },
  };
}

function createMissingCharacter(random: Random, sample: LabelSample): Change {
  // Of the brand, which every customer sees.
  const lines = TEXT_LINES.flatMap((line, index) => (line.height >= 0.08 ? [index] : []));
  const line = lines[random.integer(lines.length)] ?? 0;
  const glyphs = layOutText(TEXT_LINES[line]?.text ?? '').filter((glyph) => glyph.character !== '-');
  const missing = { line, glyph: random.integer(glyphs.length) };
  const flawed = { ...sample, artwork: drawArtwork(sample.pixel, missing) };
  return {
    box: widen(letterBox(missing), 0.004),
    inks: (px, py, inks) => readInks(flawed, px, py, inks),
  };
}

/** The green plate printed out of register. */
function createMisprint(random: Random, sample: LabelSample): Change {
  const angle = random.next() * 2 * Math.PI;
  const far = 0.018 + random.next() * 0.006;
  const flawed = {
    ...sample,
    greenX: sample.greenX + far * Math.cos(angle),
    greenY: sample.greenY + far * Math.sin(angle),
  };
  return { box: LABEL, inks: (px, py, inks) => readInks(flawed, px, py, inks) };
}

/** Wet print wiped sideways over a part of the label. */
function createSmudge(random: Random, sample: LabelSample): Change {
  const line = TEXT_LINES[[1, 4, 5, 8][random.integer(4)] ?? 1];
  const x = (line?.x ?? 0) + 0.06 + random.next() * 0.12;
  const y = (line?.y ?? 0) + (line?.height ?? 0) / 2;
  const patch = createBlob(random, x, y, 0.075, 0.3);
  const reach = 0.04 + random.next() * 0.015;
  const wiped: Inks = { black: 0, green: 0, red: 0 };
  const steps = 12;
  return {
    box: widen(patch.box, reach),
    inks(px, py, inks) {
      const inside = clamp01(-patch.distance(px, py) / 0.015);
      if (inside === 0) return;
      let black = 0;
      let green = 0;
      for (let step = 1; step <= steps; step++) {
        readInks(sample, px - (reach * step) / steps, py + reach * 0.15 * (step / steps), wiped);
        const left = (1 - step / (steps + 1)) * 0.36;
        black += wiped.black * left;
        green += wiped.green * left;
      }
      inks.black = Math.max(inks.black * (1 - 0.2 * inside), Math.min(0.85, black) * inside);
      inks.green = Math.max(inks.green, Math.min(0.6, green) * inside);
    },
  };
}

/** A slanting strip where the print head gave no ink. */
function createBarcodeVoid(random: Random): Change {
  const y = BARCODE.top + 0.03 + random.next() * (BARCODE.bottom - BARCODE.top - 0.06);
  const left = BARCODE.left + random.next() * 0.08;
  const length = 0.12 + random.next() * 0.1;
  const slope = (random.next() - 0.5) * 0.12;
  const half = 0.0055 + random.next() * 0.003;
  const seed = random.integer(2 ** 32) | 0;
  const reach = half * 2.5;
  return {
    box: {
      left,
      top: y - reach - Math.abs(slope) * length,
      right: left + length,
      bottom: y + reach + Math.abs(slope) * length,
    },
    inks(px, py, inks) {
      const along = px - left;
      if (along < 0 || along > length) return;
      const off = Math.abs(py - y - slope * along) - half * (0.6 + 0.8 * valueNoise(px * 90, 1, seed));
      inks.black *= clamp01(off / 0.002);
    },
  };
}

function createInkSpot(random: Random, sample: LabelSample): Change {
  const radius = 0.022 + random.next() * 0.006;
  // On the unprinted paper between the dates and the barcode.
  const x = -0.06 + random.next() * 0.07;
  const y = 0.04 + random.next() * 0.22;
  const spot = createBlob(random, x, y, radius, 0.3);
  const splash = createBlob(random, x + radius * 2.1, y - radius * 1.2, radius * 0.35, 0.3);
  return {
    box: { ...spot.box, right: splash.box.right, top: Math.min(spot.box.top, splash.box.top) },
    inks(px, py, inks) {
      const ink = Math.max(
        coverage(spot.distance(px, py), sample.pixel * 1.5),
        coverage(splash.distance(px, py), sample.pixel),
      );
      inks.black = Math.max(inks.black, ink * 0.95);
    },
  };
}

/** Print rubbed off along a line; torn fibres stand up bright. */
function createScratch(random: Random, sample: LabelSample): Change {
  const x = -0.36 + random.next() * 0.2;
  const y = -0.065 + random.next() * 0.03;
  const length = 0.22 + random.next() * 0.12;
  const drop = (random.next() - 0.3) * 0.08;
  const curve = createCurve([
    [x, y],
    [x + length / 3, y + drop * 0.6],
    [x + (length * 2) / 3, y + drop * 0.6],
    [x + length, y + drop],
  ]);
  const half = 0.004 + random.next() * 0.001;
  const seed = random.integer(2 ** 32) | 0;
  return {
    box: widen(curve.box, 0.02),
    inks(px, py, inks) {
      const { distance, along } = curve.measure(px, py);
      const worn = coverage(distance - half * (0.7 + 0.6 * valueNoise(along * 60, 2, seed)), sample.pixel);
      inks.black *= 1 - worn;
      inks.green *= 1 - worn;
      inks.red *= 1 - worn;
    },
    colour(px, py, out) {
      const { side } = curve.measure(px, py);
      const shade = 0.22 * Math.exp(-(((side - half * 1.8) / half) ** 2));
      out[0]! *= 1 - shade;
      out[1]! *= 1 - shade;
      out[2]! *= 1 - shade;
    },
  };
}

/** A dried drop of tea: a light film, darker at its rim. */
function createStain(random: Random): Change {
  const radius = 0.05 + random.next() * 0.02;
  const x = -0.25 + random.next() * 0.5;
  const y = -0.22 + random.next() * 0.44;
  const blob = createBlob(random, x, y, radius, 0.22);
  const seed = random.integer(2 ** 32) | 0;
  return {
    box: blob.box,
    colour(px, py, out) {
      const depth = -blob.distance(px, py);
      if (depth < 0) return;
      const film = clamp01(depth / 0.004) * (0.42 + 0.08 * cloudNoise(px * 50, py * 50, seed));
      const rim = 0.3 * Math.exp(-(((depth - 0.004) / 0.003) ** 2));
      const dark = film + rim;
      out[0]! *= 1 - dark * 0.55;
      out[1]! *= 1 - dark * 0.85;
      out[2]! *= 1 - dark * 1.3;
    },
  };
}

/** One corner gone: the board shows, and the paper's white core along the tear. */
function createTornCorner(random: Random, sample: LabelSample): Change {
  const sideX = random.integer(2) === 0 ? -1 : 1;
  const sideY = random.integer(2) === 0 ? -1 : 1;
  const size = 0.07 + random.next() * 0.04;
  const seed = random.integer(2 ** 32) | 0;
  const tear = (px: number, py: number): number => {
    const fromCorner = (LABEL.right - px * sideX) * 0.8 + (LABEL.bottom - py * sideY);
    return fromCorner - size - 0.014 * cloudNoise(px * 45, py * 45, seed);
  };
  const reach = (size + 0.04) / 0.8;
  return {
    box: {
      left: sideX < 0 ? LABEL.left : LABEL.right - reach,
      top: sideY < 0 ? LABEL.top : LABEL.bottom - reach,
      right: sideX < 0 ? LABEL.left + reach : LABEL.right,
      bottom: sideY < 0 ? LABEL.top + reach : LABEL.bottom,
    },
    paper: (px, py) => coverage(-tear(px, py), sample.pixel),
    inks(px, py, inks) {
      const core = coverage(tear(px, py) - 0.009, sample.pixel);
      inks.black *= 1 - core;
      inks.green *= 1 - core;
      inks.red *= 1 - core;
    },
    colour(px, py, out) {
      const core = coverage(tear(px, py) - 0.009, sample.pixel) * coverage(-tear(px, py), sample.pixel);
      for (let channel = 0; channel < 3; channel++) out[channel]! += (250 - out[channel]!) * 0.6 * core;
    },
  };
}
