import type { Random } from '../../vision/types.ts';
import type { InkRaster } from '../ink/ink-raster.ts';
import { valueNoise } from '../picture/noise.ts';
import { drawPlacement, type Placement, toProductX, toProductY } from '../picture/placement.ts';
import { coverage, type Move, type ProductModel, paint, type Rgb, type Scene, type View } from '../picture/scene.ts';
import { addPanelDefect, PANEL_DEFECTS } from './panel-defects.ts';
import { drawPanelText, PANEL, roundedDistance, SCREWS, SLOTS, SOCKETS, type Spot } from './panel-shape.ts';

export interface PanelSample {
  readonly at: Placement;
  readonly text: readonly InkRaster[];
  readonly brushSeed: number;
  readonly deskSeed: number;
  /** Turn of each screw's cross, radians. */
  readonly screwTurns: readonly number[];
  readonly pixel: number;
}

/**
 * The brushed front panel of a device, meant for pictures of 4000×3000: a scratch is six pixels wide there, and less
 * than one once the picture is scaled to a network's input.
 */
export const panel: ProductModel = {
  id: 'panel',
  name: 'Front panel',
  defects: PANEL_DEFECTS,
  build(random, view, move) {
    const sample = drawSample(random, view, move);
    return {
      placement: sample.at,
      clean: createPanelScene(sample, SCREWS),
      withDefect: (kind, defectRandom) =>
        addPanelDefect(kind, defectRandom, sample, (screws) => createPanelScene(sample, screws)),
    };
  },
};

function drawSample(random: Random, view: View, move: Move): PanelSample {
  return {
    at: drawPlacement(random, move),
    text: drawPanelText(view.pixel),
    brushSeed: random.integer(2 ** 32) | 0,
    deskSeed: random.integer(2 ** 32) | 0,
    screwTurns: SCREWS.map(() => random.next() * Math.PI),
    pixel: view.pixel,
  };
}

function createPanelScene(sample: PanelSample, screws: readonly Spot[]): Scene {
  const { at, pixel } = sample;
  return {
    shade(x, y, out) {
      const px = toProductX(at, x, y);
      const py = toProductY(at, x, y);
      const edge = roundedDistance(px, py, PANEL.halfWidth, PANEL.halfHeight, PANEL.corner);
      const metal = coverage(edge, pixel);
      if (metal < 1) shadeDesk(sample, px, py, edge, out);
      if (metal === 0) return;
      const light = steelLight(sample, px, py, edge);
      paint(out, light * 0.99, light, light * 1.015, metal);
      cutOpenings(sample, px, py, out);
      for (const raster of sample.text) {
        const ink = raster.sample(px, py);
        if (ink > 0) paint(out, 38, 42, 52, ink * 0.92);
      }
      driveScrews(sample, screws, px, py, out);
    },
  };
}

/** Brushed along x: long streaks of two widths, and a soft sheen across the panel. */
function steelLight({ brushSeed, pixel }: PanelSample, px: number, py: number, edge: number): number {
  const streaks = valueNoise(px * 9, py * 620, brushSeed) + 0.6 * valueNoise(px * 22, py * 1400, brushSeed ^ 17) - 0.8;
  const sheen = 12 * Math.sin(px * 3.4 + 0.8) - 10 * py;
  const face = 172 + sheen + streaks * 20;
  const rim = coverage(-edge - PANEL.bevel, pixel * 2);
  const lit = py < -PANEL.halfHeight + PANEL.corner || px < -PANEL.halfWidth + PANEL.corner ? 232 : 96;
  return face + (lit - face) * rim;
}

function cutOpenings({ pixel }: PanelSample, px: number, py: number, out: Rgb): void {
  if (py < 0.08 || py > 0.26) return;
  for (const slot of SLOTS) {
    if (Math.abs(px - slot.x) > PANEL.slotHalfWidth + 0.004) continue;
    const { slotHalfWidth, slotHalfHeight } = PANEL;
    const distance = roundedDistance(px - slot.x, py - slot.y, slotHalfWidth, slotHalfHeight, slotHalfWidth);
    paint(out, 226, 228, 230, 0.7 * coverage(distance - 0.0025, pixel) * (px > slot.x ? 1 : 0.2));
    paint(out, 22, 24, 28, coverage(distance, pixel));
    return;
  }
  for (const socket of SOCKETS) {
    const dx = px - socket.x;
    const dy = py - socket.y;
    const far = Math.sqrt(dx * dx + dy * dy);
    if (far > PANEL.socketRadius + pixel) continue;
    const ring = 150 - ((dx + dy) / far) * 55;
    paint(out, ring, ring, ring * 1.02, coverage(far - PANEL.socketRadius, pixel));
    paint(out, 44, 46, 50, coverage(far - PANEL.socketRadius * 0.78, pixel));
    paint(out, 206, 172, 96, coverage(far - PANEL.socketRadius * 0.2, pixel));
    paint(out, 30, 26, 20, coverage(far - PANEL.socketRadius * 0.1, pixel));
    return;
  }
}

function driveScrews(sample: PanelSample, screws: readonly Spot[], px: number, py: number, out: Rgb): void {
  if (Math.abs(px) < 0.5 || Math.abs(py) < 0.34) return;
  SCREWS.forEach((hole, index) => {
    const dx = px - hole.x;
    const dy = py - hole.y;
    const far = Math.sqrt(dx * dx + dy * dy);
    if (far > PANEL.screwRadius + sample.pixel) return;
    paint(out, 26, 27, 30, coverage(far - PANEL.screwRadius * 0.72, sample.pixel));
    if (!screws.includes(hole)) return;
    const dome = 168 - ((dx + dy) / PANEL.screwRadius) * 46;
    paint(out, dome, dome, dome * 1.02, coverage(far - PANEL.screwRadius, sample.pixel));
    const turn = sample.screwTurns[index] ?? 0;
    const u = Math.abs(dx * Math.cos(turn) + dy * Math.sin(turn));
    const v = Math.abs(dy * Math.cos(turn) - dx * Math.sin(turn));
    const arm = Math.min(Math.max(u - 0.013, v - 0.0026), Math.max(v - 0.013, u - 0.0026));
    paint(out, 52, 54, 58, coverage(arm, sample.pixel));
  });
}

function shadeDesk({ deskSeed }: PanelSample, px: number, py: number, edge: number, out: Rgb): void {
  const grain =
    (valueNoise(px * 40, py * 40, deskSeed) - 0.5) * 8 + (valueNoise(px * 300, py * 300, deskSeed) - 0.5) * 6;
  const shadow = 1 - 0.5 * Math.exp(-((Math.max(0, edge) / 0.02) ** 2));
  out[0] = (74 + grain) * shadow;
  out[1] = (72 + grain) * shadow;
  out[2] = (70 + grain) * shadow;
}
