import type { Random } from '../../vision/types.ts';
import { createInkRaster, type InkRaster } from '../ink/ink-raster.ts';
import { textWidth } from '../ink/stroke-font.ts';
import { cloudNoise, hashNoise } from '../picture/noise.ts';
import { drawPlacement, type Placement, toProductX, toProductY } from '../picture/placement.ts';
import { coverage, type ProductModel, paint, type Rgb, type Scene, type View } from '../picture/scene.ts';
import { addPartDefect, PART_DEFECTS } from './part-defects.ts';
import { ENGRAVING, HOLES, type Hole, PART } from './part-shape.ts';
import { createToolMarks, drawLamps, type Lamps, type ToolMarks, turnedFaceLight } from './turned-face.ts';

/** Everything that one sample's picture follows from. */
export interface PartSample {
  readonly at: Placement;
  readonly lamps: Lamps;
  readonly marks: ToolMarks;
  readonly engraving: InkRaster;
  readonly matSeed: number;
  readonly pixel: number;
}

/** A turned steel flange on a rubber mat. */
export const machinedPart: ProductModel = {
  id: 'machined-part',
  name: 'Machined flange',
  defects: PART_DEFECTS,
  build(random, view, move) {
    const sample = drawSample(random, view, move);
    return {
      placement: sample.at,
      clean: createPartScene(sample, HOLES),
      withDefect: (kind, defectRandom) =>
        addPartDefect(kind, defectRandom, sample, (holes) => createPartScene(sample, holes)),
    };
  },
};

function drawSample(random: Random, view: View, move: Parameters<typeof drawPlacement>[1]): PartSample {
  const half = (textWidth(ENGRAVING.text) * ENGRAVING.height) / 2;
  const top = ENGRAVING.baseline - ENGRAVING.height;
  const engraving = createInkRaster(
    { left: -half - 0.01, top: top - 0.01, right: half + 0.01, bottom: ENGRAVING.baseline + 0.01 },
    view.pixel,
  );
  engraving.text(ENGRAVING.text, -half, top, ENGRAVING.height, ENGRAVING.weight);
  return {
    at: drawPlacement(random, move),
    lamps: drawLamps(random),
    marks: createToolMarks(random),
    engraving,
    matSeed: random.integer(2 ** 32) | 0,
    pixel: view.pixel,
  };
}

function createPartScene(sample: PartSample, holes: readonly Hole[]): Scene {
  const { at, pixel } = sample;
  return {
    shade(x, y, out) {
      const px = toProductX(at, x, y);
      const py = toProductY(at, x, y);
      const radius = Math.sqrt(px * px + py * py);
      if (radius > PART.outerRadius - pixel) shadeMat(sample, x, y, px, py, radius, out);
      if (radius > PART.outerRadius + pixel) return;
      const steel = coverage(radius - PART.outerRadius, pixel);
      const light = steelLight(sample, x - at.shiftX, y - at.shiftY, px, py, radius, holes);
      paint(out, light * 0.975, light, light * 1.03, steel);
    },
  };
}

/** Brightness of the part's top: face, edges and holes, 0 to 255. */
function steelLight(
  sample: PartSample,
  dx: number,
  dy: number,
  px: number,
  py: number,
  radius: number,
  holes: readonly Hole[],
): number {
  const { lamps, pixel } = sample;
  const length = Math.max(radius, 1e-9) * sample.at.scale;
  const ux = dx / length;
  const uy = dy / length;
  const toKey = ux * lamps.keyX + uy * lamps.keyY;
  const marks = sample.marks.at(radius);
  let light = turnedFaceLight(lamps, ux, uy);
  light += marks * (9 + light * 0.055);
  if (radius < PART.recessRadius) light = light * 0.86 - 6;

  const wall = Math.abs(radius - PART.recessRadius) - PART.recessWall / 2;
  light += (95 - toKey * 85 - light) * coverage(wall, pixel * 1.6);
  const rim = PART.outerRadius - PART.outerBevel - radius;
  light += (120 + toKey * 118 - light) * coverage(rim, pixel * 1.4);
  const bore = radius - PART.boreRadius - PART.boreBevel;
  if (bore < pixel) {
    light += (118 - toKey * 112 + marks * 7 - light) * coverage(bore, pixel * 1.4);
    const depth = 16 + 26 * Math.max(0, -toKey) * (radius / PART.boreRadius) ** 6;
    light += (depth - light) * coverage(radius - PART.boreRadius, pixel * 1.4);
  }
  if (radius > PART.boltCircle - 0.05 && radius < PART.boltCircle + 0.05) {
    light = drillHoles(sample, px, py, light, holes);
  }
  const cut = sample.engraving.sample(px, py);
  if (cut > 0) light += (46 - light) * cut * 0.8;
  return light;
}

function drillHoles(sample: PartSample, px: number, py: number, face: number, holes: readonly Hole[]): number {
  const { lamps, pixel, at } = sample;
  for (const hole of holes) {
    const hx = px - hole.x;
    const hy = py - hole.y;
    const far = Math.sqrt(hx * hx + hy * hy);
    if (far > hole.radius + hole.bevel + pixel) continue;
    // Back to the frame's directions, where the lamps are.
    const toKey = ((hx * at.cos - hy * at.sin) * lamps.keyX + (hx * at.sin + hy * at.cos) * lamps.keyY) / (far + 1e-9);
    const bevel = 122 - toKey * 110;
    const depth = 14 + 30 * Math.max(0, -toKey) * (far / hole.radius) ** 4;
    const light = face + (bevel - face) * coverage(far - hole.radius - hole.bevel, pixel * 1.4);
    return light + (depth - light) * coverage(far - hole.radius, pixel * 1.4);
  }
  return face;
}

function shadeMat(sample: PartSample, x: number, y: number, px: number, py: number, radius: number, out: Rgb): void {
  const { at, lamps, matSeed, pixel } = sample;
  const grain = cloudNoise(px * 70, py * 70, matSeed) * 3.2 + (hashNoise(x / pixel, y / pixel, matSeed) - 0.5) * 3;
  const sx = x - at.shiftX + lamps.keyX * 0.028;
  const sy = y - at.shiftY + lamps.keyY * 0.028;
  const reach = (Math.sqrt(sx * sx + sy * sy) - PART.outerRadius) / 0.045;
  const contact = (radius - PART.outerRadius) / 0.02;
  const shadow = 1 - 0.55 * Math.exp(-(Math.max(0, reach) ** 2)) - 0.2 * Math.exp(-contact * contact);
  out[0] = (58 + grain) * shadow;
  out[1] = (66 + grain) * shadow;
  out[2] = (74 + grain) * shadow;
}
