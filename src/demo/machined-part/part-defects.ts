import type { Random } from '../../vision/types.ts';
import { createBlob, widen } from '../marks/blob.ts';
import { createCurve } from '../marks/curve.ts';
import { clamp01, cloudNoise, valueNoise } from '../picture/noise.ts';
import { boxInFrame, toProductX, toProductY } from '../picture/placement.ts';
import { type Box, coverage, type DefectScene, paint, type Rgb, type Scene, scale } from '../picture/scene.ts';
import type { PartSample } from './machined-part.ts';
import { HOLES, type Hole, PART } from './part-shape.ts';

export const PART_DEFECTS = ['scratch', 'dent', 'missing_hole', 'burr', 'chip', 'stain'] as const;

/** A change to the picture at a point of the part. */
interface Mark {
  /** In the part's coordinates. */
  readonly box: Box;
  apply(px: number, py: number, out: Rgb): void;
}

export function addPartDefect(
  kind: string,
  random: Random,
  sample: PartSample,
  sceneWith: (holes: readonly Hole[]) => Scene,
): DefectScene {
  if (kind === 'missing_hole') {
    const missing = random.integer(PART.bolts);
    const hole = HOLES[missing]!;
    const reach = hole.radius + hole.bevel + 0.004;
    const box = { left: hole.x - reach, top: hole.y - reach, right: hole.x + reach, bottom: hole.y + reach };
    const scene = sceneWith(HOLES.filter((_, index) => index !== missing));
    return { shade: scene.shade, box: boxInFrame(sample.at, box) };
  }
  const mark = createMark(kind, random, sample);
  const clean = sceneWith(HOLES);
  return {
    box: boxInFrame(sample.at, mark.box),
    shade(x, y, out) {
      clean.shade(x, y, out);
      mark.apply(toProductX(sample.at, x, y), toProductY(sample.at, x, y), out);
    },
  };
}

function createMark(kind: string, random: Random, sample: PartSample): Mark {
  if (kind === 'scratch') return createScratch(random);
  if (kind === 'dent') return createDent(random, sample);
  if (kind === 'burr') return createBurr(random, sample);
  if (kind === 'chip') return createChip(random, sample);
  return createStain(random);
}

/** A point of the face, away from bore and edge. */
function drawFacePoint(random: Random, inner: number, outer: number): [number, number] {
  const angle = random.next() * 2 * Math.PI;
  const radius = inner + random.next() * (outer - inner);
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

function createScratch(random: Random): Mark {
  const [x, y] = drawFacePoint(random, 0.22, 0.29);
  const heading = random.next() * 2 * Math.PI;
  const length = 0.15 + random.next() * 0.09;
  const bend = (random.next() - 0.5) * 0.5;
  const dx = Math.cos(heading) * length;
  const dy = Math.sin(heading) * length;
  const curve = createCurve([
    [x - dx / 2, y - dy / 2],
    [x - dx / 6 - dy * bend, y - dy / 6 + dx * bend],
    [x + dx / 6 - dy * bend, y + dy / 6 + dx * bend],
    [x + dx / 2, y + dy / 2],
  ]);
  const width = 0.0028 + random.next() * 0.0008;
  return {
    box: widen(curve.box, 0.015),
    apply(px, py, out) {
      const { distance, side, along } = curve.measure(px, py);
      if (distance > width * 4) return;
      const fade =
        Math.min(1, 6 * along, 6 * (1 - along)) * Math.max(0, 1 - Math.max(0, Math.hypot(px, py) - 0.4) * 200);
      const core = Math.exp(-((distance / width) ** 2));
      const edge = Math.exp(-(((side - width * 1.6) / width) ** 2));
      paint(out, 235, 238, 242, 0.75 * core * fade);
      scale(out, 1 - 0.5 * edge * fade);
    },
  };
}

/** A knock: the side towards the lamp turns dark, the far side bright. */
function createDent(random: Random, sample: PartSample): Mark {
  const [x, y] = drawFacePoint(random, 0.225, 0.275);
  const radius = 0.015 + random.next() * 0.006;
  const { at, lamps } = sample;
  // The lamp's direction in the part's coordinates.
  const lx = lamps.keyX * at.cos + lamps.keyY * at.sin;
  const ly = lamps.keyY * at.cos - lamps.keyX * at.sin;
  const reach = radius * 3;
  return {
    box: { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach },
    apply(px, py, out) {
      const dx = (px - x) / radius;
      const dy = (py - y) / radius;
      const weight = Math.exp(-(dx * dx + dy * dy) * 0.9);
      const slope = (dx * lx + dy * ly) * weight;
      scale(out, 1 - 0.95 * slope - 0.22 * weight);
    },
  };
}

/** Metal pushed up along a part of a bolt hole's edge. */
function createBurr(random: Random, sample: PartSample): Mark {
  const hole = HOLES[random.integer(PART.bolts)]!;
  const towards = random.next() * 2 * Math.PI;
  const seed = random.integer(2 ** 32) | 0;
  const spread = 1.2 + random.next() * 0.6;
  const reach = hole.radius + hole.bevel + 0.036;
  return {
    box: { left: hole.x - reach, top: hole.y - reach, right: hole.x + reach, bottom: hole.y + reach },
    apply(px, py, out) {
      const hx = px - hole.x;
      const hy = py - hole.y;
      const far = Math.sqrt(hx * hx + hy * hy);
      if (far < hole.radius * 0.15 || far > reach) return;
      let turn = Math.atan2(hy, hx) - towards;
      turn -= Math.round(turn / (2 * Math.PI)) * 2 * Math.PI;
      const strength = clamp01(1.6 * (1 - Math.abs(turn) / spread));
      if (strength === 0) return;
      const ragged = valueNoise(turn * 6, 3, seed);
      const inner = hole.radius - 0.024 * strength * ragged;
      const outer = hole.radius + hole.bevel + 0.03 * strength * ragged;
      const ridge = coverage(inner - far, sample.pixel) * coverage(far - outer, sample.pixel);
      const light = 150 + 105 * valueNoise(turn * 9, far * 160, seed ^ 99);
      paint(out, light, light, light * 1.02, 0.9 * ridge * clamp01(strength * 3));
    },
  };
}

/** A piece broken out of the outer edge. */
function createChip(random: Random, sample: PartSample): Mark {
  const angle = random.next() * 2 * Math.PI;
  const radius = 0.036 + random.next() * 0.01;
  const centre = PART.outerRadius - radius * 0.15;
  const blob = createBlob(random, centre * Math.cos(angle), centre * Math.sin(angle), radius, 0.35);
  const seed = random.integer(2 ** 32) | 0;
  return {
    box: blob.box,
    apply(px, py, out) {
      const inside = coverage(blob.distance(px, py), sample.pixel * 1.5);
      const steel = coverage(Math.sqrt(px * px + py * py) - PART.outerRadius, sample.pixel);
      if (inside * steel === 0) return;
      const rough = 48 + 42 * valueNoise(px * 260, py * 260, seed) + 18 * cloudNoise(px * 90, py * 90, seed);
      paint(out, rough, rough * 1.01, rough * 1.04, 0.92 * inside * steel);
    },
  };
}

/** Dried coolant: a thin brown film with a darker rim. */
function createStain(random: Random): Mark {
  const [x, y] = drawFacePoint(random, 0.22, 0.3);
  const radius = 0.026 + random.next() * 0.02;
  const blob = createBlob(random, x, y, radius, 0.45);
  return {
    box: blob.box,
    apply(px, py, out) {
      const depth = -blob.distance(px, py);
      const film = clamp01(depth / (radius * 0.3));
      const rim = Math.exp(-(((depth - radius * 0.1) / (radius * 0.1)) ** 2));
      const dark = clamp01(0.42 * film + 0.24 * rim * (depth > 0 ? 1 : 0));
      out[0]! *= 1 - dark * 0.75;
      out[1]! *= 1 - dark * 0.95;
      out[2]! *= 1 - dark * 1.25;
    },
  };
}
