import type { Random } from '../../vision/types.ts';
import { createBlob, widen } from '../marks/blob.ts';
import { createCurve } from '../marks/curve.ts';
import { clamp01 } from '../picture/noise.ts';
import { boxInFrame, toProductX, toProductY } from '../picture/placement.ts';
import { type Box, coverage, type DefectScene, paint, type Rgb, type Scene, scale } from '../picture/scene.ts';
import type { PanelSample } from './panel.ts';
import { PANEL, SCREWS, type Spot } from './panel-shape.ts';

export const PANEL_DEFECTS = ['scratch', 'dent', 'missing_screw', 'stain', 'speck'] as const;

/** Half the width of a scratch: six pixels from side to side in a picture of 3000 rows. */
const SCRATCH_HALF = 0.001;

interface Mark {
  /** In the panel's coordinates. */
  readonly box: Box;
  apply(px: number, py: number, out: Rgb): void;
}

export function addPanelDefect(
  kind: string,
  random: Random,
  sample: PanelSample,
  sceneWith: (screws: readonly Spot[]) => Scene,
): DefectScene {
  if (kind === 'missing_screw') {
    const missing = SCREWS[random.integer(SCREWS.length)]!;
    const box = widen(
      { left: missing.x, top: missing.y, right: missing.x, bottom: missing.y },
      PANEL.screwRadius * 1.2,
    );
    return { shade: sceneWith(SCREWS.filter((screw) => screw !== missing)).shade, box: boxInFrame(sample.at, box) };
  }
  const mark = createMark(kind, random, sample);
  const clean = sceneWith(SCREWS);
  return {
    box: boxInFrame(sample.at, mark.box),
    shade(x, y, out) {
      clean.shade(x, y, out);
      mark.apply(toProductX(sample.at, x, y), toProductY(sample.at, x, y), out);
    },
  };
}

function createMark(kind: string, random: Random, sample: PanelSample): Mark {
  if (kind === 'scratch') return createScratch(random, sample);
  if (kind === 'dent') return createDent(random);
  if (kind === 'stain') return createStain(random);
  return createSpeck(random, sample);
}

/** A point of the plain face, between print and openings. */
function drawFacePoint(random: Random): [number, number] {
  return [(random.next() - 0.5) * 0.9, -0.13 + random.next() * 0.18];
}

/** Across the brushing, where it breaks the streaks. */
function createScratch(random: Random, sample: PanelSample): Mark {
  const [x, y] = drawFacePoint(random);
  const heading = (0.2 + random.next() * 0.6) * Math.PI;
  const length = 0.05 + random.next() * 0.08;
  const dx = Math.cos(heading) * length;
  const dy = Math.sin(heading) * length;
  const bend = (random.next() - 0.5) * 0.3;
  const curve = createCurve([
    [x, y],
    [x + dx / 3 - dy * bend, y + dy / 3 + dx * bend],
    [x + (dx * 2) / 3 - dy * bend, y + (dy * 2) / 3 + dx * bend],
    [x + dx, y + dy],
  ]);
  return {
    box: widen(curve.box, 0.006),
    apply(px, py, out) {
      const { distance, side } = curve.measure(px, py);
      paint(out, 96, 97, 100, 0.75 * coverage(distance - SCRATCH_HALF, sample.pixel));
      paint(out, 242, 243, 245, 0.7 * coverage(Math.abs(side - SCRATCH_HALF * 0.7) - SCRATCH_HALF * 0.3, sample.pixel));
    },
  };
}

function createDent(random: Random): Mark {
  const [x, y] = drawFacePoint(random);
  const radius = 0.007 + random.next() * 0.005;
  return {
    box: widen({ left: x, top: y, right: x, bottom: y }, radius * 3),
    apply(px, py, out) {
      const dx = (px - x) / radius;
      const dy = (py - y) / radius;
      scale(out, 1 + 0.5 * (dx + dy) * Math.exp(-(dx * dx + dy * dy)));
    },
  };
}

/** A fingerprint's grease: hardly darker, soft. */
function createStain(random: Random): Mark {
  const [x, y] = drawFacePoint(random);
  const blob = createBlob(random, x, y, 0.02 + random.next() * 0.015, 0.3);
  return {
    box: widen(blob.box, 0.01),
    apply(px, py, out) {
      const depth = clamp01(-blob.distance(px, py) / 0.006 + 0.5);
      const ridges = 0.7 + 0.3 * Math.sin(blob.distance(px, py) * 1600);
      scale(out, 1 - 0.2 * depth * ridges);
    },
  };
}

/** A chip of paint or a grain of dirt, eight to fourteen pixels across in a picture of 3000 rows. */
function createSpeck(random: Random, sample: PanelSample): Mark {
  const [x, y] = drawFacePoint(random);
  const blob = createBlob(random, x, y, 0.0014 + random.next() * 0.001, 0.4);
  return {
    box: widen(blob.box, 0.002),
    apply: (px, py, out) => paint(out, 44, 40, 38, 0.9 * coverage(blob.distance(px, py), sample.pixel)),
  };
}
