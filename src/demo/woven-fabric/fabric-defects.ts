import type { Random } from '../../vision/types.ts';
import { createBlob, widen } from '../marks/blob.ts';
import { createCurve } from '../marks/curve.ts';
import { clamp01, cloudNoise, hashNoise, valueNoise } from '../picture/noise.ts';
import { boxInFrame, toProductX, toProductY } from '../picture/placement.ts';
import { type Box, coverage, type DefectScene, paint, type Rgb, scale } from '../picture/scene.ts';
import {
  type Cloth,
  shadeCloth,
  shadeWarp,
  shadeWeft,
  THREADS,
  type ThreadPlace,
  toThreads,
  warpOnTop,
} from './weave.ts';

export const FABRIC_DEFECTS = [
  'broken_thread',
  'loose_knot',
  'hole',
  'stain',
  'wrong_thread',
  'misweave',
  'loose_fibre',
] as const;

/** Draws over the finished cloth. `place` is the thread under the point, x and y are product coordinates. */
interface Flaw {
  readonly box: Box;
  apply(x: number, y: number, place: ThreadPlace, out: Rgb): void;
}

type Create = (random: Random, cloth: Cloth) => Flaw;

const FLAWS: Readonly<Record<(typeof FABRIC_DEFECTS)[number], Create>> = {
  broken_thread: createBrokenThread,
  loose_knot: createLooseKnot,
  hole: createHole,
  stain: createStain,
  wrong_thread: createWrongThread,
  misweave: createMisweave,
  loose_fibre: createLooseFibre,
};

export function addFabricDefect(kind: string, random: Random, cloth: Cloth): DefectScene {
  const flaw = FLAWS[kind as (typeof FABRIC_DEFECTS)[number]](random, cloth);
  const place: ThreadPlace = { warp: 0, weft: 0, acrossWarp: 0, acrossWeft: 0 };
  return {
    box: boxInFrame(cloth.at, flaw.box),
    shade(x, y, out) {
      const px = toProductX(cloth.at, x, y);
      const py = toProductY(cloth.at, x, y);
      toThreads(cloth, px, py, place);
      shadeCloth(cloth, place, out);
      flaw.apply(px, py, place, out);
    },
  };
}

function drawPoint(random: Random): [number, number] {
  return [(random.next() - 0.5) * 0.7, (random.next() - 0.5) * 0.7];
}

function threadAt(cloth: Cloth, x: number, y: number): ThreadPlace {
  const place: ThreadPlace = { warp: 0, weft: 0, acrossWarp: 0, acrossWeft: 0 };
  toThreads(cloth, x, y, place);
  return place;
}

/** Two weft threads are gone over some length; their ends fray. */
function createBrokenThread(random: Random, cloth: Cloth): Flaw {
  const [x, y] = drawPoint(random);
  const half = 0.1 + random.next() * 0.04;
  const { weft } = threadAt(cloth, x, y);
  const seed = random.integer(2 ** 32) | 0;
  const room = 3 / THREADS;
  return {
    box: { left: x - half - room, top: y - room, right: x + half + room, bottom: y + room },
    apply(px, _py, place, out) {
      if (place.weft !== weft && place.weft !== weft + 1) return;
      const gone = coverage(
        Math.abs(px - x) - half + valueNoise(place.acrossWeft * 9, 1, seed) * 0.012,
        cloth.pixel * 2,
      );
      if (gone === 0) return;
      // Under the weft lies the other side of the warp, in shadow.
      const warp = new Float64Array(3);
      shadeWarp(cloth, place, 0.2, warp);
      const depth = warpOnTop(place.warp, place.weft) ? 0.6 : 0.35;
      paint(out, warp[0]! * depth, warp[1]! * depth, warp[2]! * depth, gone);
    },
  };
}

/** A slub: the weft swells to a lump that stands over its neighbours. */
function createLooseKnot(random: Random, cloth: Cloth): Flaw {
  const [x, y] = drawPoint(random);
  const length = (1.8 + random.next() * 0.8) / THREADS;
  const height = length * (0.55 + random.next() * 0.15);
  const seed = random.integer(2 ** 32) | 0;
  const reach = length * 2;
  return {
    box: { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach },
    apply(px, py, _place, out) {
      const dx = (px - x) / length;
      const dy = (py - y) / height;
      const shadow = Math.exp(-((dx - 0.3) ** 2 + (dy - 0.5) ** 2) * 1.2);
      scale(out, 1 - 0.45 * shadow);
      const outline = Math.sqrt(dx * dx + dy * dy) - 1 - 0.22 * cloudNoise(dx * 2, dy * 2, seed);
      const body = coverage(outline * height, cloth.pixel * 1.5);
      const wound =
        0.12 * Math.sin((dx * 2.2 + dy * 1.1) * 2 * Math.PI) + 0.16 * (valueNoise(dx * 5, dy * 14, seed) - 0.5);
      const light = Math.max(0.2, 1.06 - 0.38 * (dx * dx + dy * dy) - 0.2 * dy) + wound;
      paint(out, 202 * light, 195 * light, 176 * light, body);
    },
  };
}

function createHole(random: Random, cloth: Cloth): Flaw {
  const [x, y] = drawPoint(random);
  const radius = 0.022 + random.next() * 0.01;
  const blob = createBlob(random, x, y, radius, 0.4);
  const seed = random.integer(2 ** 32) | 0;
  return {
    box: widen(blob.box, 0.02),
    apply(px, py, place, out) {
      // Threads end at different lengths around the hole.
      const fray = (hashNoise(place.warp, place.weft, seed) - 0.5) * 0.012;
      const distance = blob.distance(px, py) + fray;
      scale(out, 1 - 0.4 * clamp01(1 - distance / 0.012));
      const strand = Math.abs(place.acrossWarp + 0.3 * cloudNoise(px * 60, py * 60, seed));
      const left = strand < 0.09 && distance > -radius * 0.7 ? 0.55 : 0;
      paint(out, 20, 20, 24, coverage(distance, cloth.pixel * 1.5) * (1 - left));
    },
  };
}

/** Machine oil, soaked in: no rim, soft edge. */
function createStain(random: Random, _cloth: Cloth): Flaw {
  const [x, y] = drawPoint(random);
  const radius = 0.045 + random.next() * 0.02;
  const blob = createBlob(random, x, y, radius, 0.4);
  return {
    box: widen(blob.box, 0.03),
    apply(px, py, place, out) {
      const run = 0.006 * Math.cos(place.acrossWarp * 2 * Math.PI);
      const soaked = 0.58 * clamp01((-blob.distance(px, py) + run) / 0.014 + 0.5);
      out[0]! *= 1 - soaked * 0.85;
      out[1]! *= 1 - soaked * 0.95;
      out[2]! *= 1 - soaked * 1.15;
    },
  };
}

/** Two weft threads of another batch, red where they should be plain. */
function createWrongThread(random: Random, cloth: Cloth): Flaw {
  const [x, y] = drawPoint(random);
  const half = 0.16 + random.next() * 0.12;
  const { weft } = threadAt(cloth, x, y);
  const room = 3.5 / THREADS;
  return {
    box: { left: x - half, top: y - room, right: x + half, bottom: y + room },
    apply(px, _py, place, out) {
      if ((place.weft !== weft && place.weft !== weft + 1) || warpOnTop(place.warp, place.weft)) return;
      const share = coverage(Math.abs(px - x) - half, cloth.pixel);
      out[0]! *= 1 - 0.1 * share;
      out[1]! *= 1 - 0.78 * share;
      out[2]! *= 1 - 0.82 * share;
    },
  };
}

/** The loom missed: over a few threads the weft lies on top where it should dive. */
function createMisweave(random: Random, cloth: Cloth): Flaw {
  const [x, y] = drawPoint(random);
  const first = threadAt(cloth, x, y);
  const warps = 5 + random.integer(4);
  const wefts = 1 + random.integer(2);
  return {
    box: widen({ left: x, top: y, right: x + warps / THREADS, bottom: y + wefts / THREADS }, 2 / THREADS),
    apply(_px, _py, place, out) {
      const column = place.warp - first.warp;
      const row = place.weft - first.weft;
      if (column < 0 || column >= warps || row < 0 || row >= wefts) return;
      shadeWeft(cloth, place, (column + place.acrossWarp + 0.5) / warps, out);
    },
  };
}

/** A curl of thread left lying on the cloth. */
function createLooseFibre(random: Random, cloth: Cloth): Flaw {
  const [x, y] = drawPoint(random);
  const heading = random.next() * 2 * Math.PI;
  const length = 0.15 + random.next() * 0.06;
  const bend = (0.35 + random.next() * 0.5) * (random.integer(2) === 0 ? -1 : 1);
  const dx = Math.cos(heading) * length;
  const dy = Math.sin(heading) * length;
  const curve = createCurve([
    [x - dx / 2, y - dy / 2],
    [x - dy * bend, y + dx * bend],
    [x + dx * 0.2 - dy * bend, y + dy * 0.2 + dx * bend],
    [x + dx / 2 + dy * bend * 0.4, y + dy / 2 - dx * bend * 0.4],
  ]);
  const half = 0.0055 + random.next() * 0.0015;
  return {
    box: widen(curve.box, 0.025),
    apply(px, py, _place, out) {
      const shadow = curve.measure(px - 0.004, py - 0.005).distance;
      scale(out, 1 - 0.5 * Math.exp(-((shadow / (half * 1.4)) ** 2)));
      const { distance, side, along } = curve.measure(px, py);
      const light = 0.95 - 0.2 * (side / half) + 0.08 * Math.sin(along * 160);
      paint(out, 226 * light, 220 * light, 206 * light, coverage(distance - half, cloth.pixel));
    },
  };
}
