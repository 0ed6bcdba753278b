import { createInkRaster, type InkRaster } from '../ink/ink-raster.ts';
import { textWidth } from '../ink/stroke-font.ts';

/** Measures of the front panel in frame units (the picture is 4:3), its centre at (0, 0). */
export const PANEL = {
  halfWidth: 0.58,
  halfHeight: 0.42,
  corner: 0.03,
  bevel: 0.005,
  screwRadius: 0.02,
  socketRadius: 0.05,
  slotHalfWidth: 0.008,
  slotHalfHeight: 0.07,
} as const;

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export const SCREWS: readonly Spot[] = [-1, 1].flatMap((right) =>
  [-1, 1].map((down) => ({ x: right * 0.535, y: down * 0.375 })),
);

export const SOCKETS: readonly Spot[] = [0, 1, 2, 3].map((index) => ({ x: -0.42 + index * 0.16, y: 0.17 }));

/** Ventilation slots, upright, in one row. */
export const SLOTS: readonly Spot[] = Array.from({ length: 12 }, (_, index) => ({ x: 0.2 + index * 0.026, y: 0.17 }));

const LINES = [
  { text: 'KENSA KP-40', x: -0.48, y: -0.3, height: 0.06 },
  { text: 'SIGNAL CONDITIONER', x: -0.48, y: -0.205, height: 0.028 },
  { text: 'IN 1', x: -0.452, y: 0.255, height: 0.024 },
  { text: 'IN 2', x: -0.292, y: 0.255, height: 0.024 },
  { text: 'OUT 1', x: -0.144, y: 0.255, height: 0.024 },
  { text: 'OUT 2', x: 0.016, y: 0.255, height: 0.024 },
  { text: '24 V 0.8 A', x: 0.24, y: -0.29, height: 0.03 },
  { text: 'S/N 0042-117', x: 0.24, y: -0.235, height: 0.024 },
] as const;

/** Printed text, a raster for each line: one over the whole panel would be 40 MB at twelve megapixels. */
export function drawPanelText(cell: number): InkRaster[] {
  return LINES.map(({ text, x, y, height }) => {
    const room = height * 0.2;
    const right = x + textWidth(text) * height + room;
    const raster = createInkRaster({ left: x - room, top: y - room, right, bottom: y + height + room }, cell);
    raster.text(text, x, y, height, 0.17);
    return raster;
  });
}

/** Signed distance from a rectangle with rounded corners about (0, 0). */
export function roundedDistance(x: number, y: number, halfWidth: number, halfHeight: number, corner: number): number {
  const dx = Math.abs(x) - halfWidth + corner;
  const dy = Math.abs(y) - halfHeight + corner;
  const outX = Math.max(dx, 0);
  const outY = Math.max(dy, 0);
  return Math.sqrt(outX * outX + outY * outY) + Math.min(Math.max(dx, dy), 0) - corner;
}
