import { mix } from '../picture/noise.ts';
import { type Box, coverage } from '../picture/scene.ts';
import { layOutText, type PlacedGlyph } from './stroke-font.ts';

/** One ink of a print, or the cut of an engraving: coverage 0 to 1 over a box of product coordinates. */
export interface InkRaster {
  readonly box: Box;
  /** [rows · columns] */
  readonly cells: Float32Array;
  line(x0: number, y0: number, x1: number, y1: number, thickness: number): void;
  rectangle(box: Box): void;
  disc(x: number, y: number, radius: number): void;
  glyph(glyph: PlacedGlyph, x: number, y: number, height: number, weight: number): void;
  /** @param weight thickness of the strokes as a share of the height. */
  text(text: string, x: number, y: number, height: number, weight: number): void;
  /** Takes away this ink where the other one lies. */
  cutOut(other: InkRaster): void;
  /** Coverage at a point, smooth between cells; 0 outside. */
  sample(x: number, y: number): number;
}

/** @param cell side of a cell, as a rule the side of the picture's pixels. */
export function createInkRaster(box: Box, cell: number): InkRaster {
  const grid = createGrid(box, cell);
  const raster: InkRaster = {
    box,
    cells: grid.cells,
    sample: grid.sample,
    line(x0, y0, x1, y1, thickness) {
      stampLine(grid, x0, y0, x1, y1, thickness / 2);
    },
    rectangle(area) {
      grid.stamp(area, (x, y) => Math.max(area.left - x, x - area.right, area.top - y, y - area.bottom));
    },
    disc(cx, cy, radius) {
      const shape = { left: cx - radius, top: cy - radius, right: cx + radius, bottom: cy + radius };
      grid.stamp(shape, (x, y) => Math.sqrt((x - cx) ** 2 + (y - cy) ** 2) - radius);
    },
    glyph(glyph, x, y, height, weight) {
      const left = x + glyph.x * height;
      const half = (height * weight) / 2;
      for (const stroke of glyph.strokes) {
        for (let at = 0; at + 3 < stroke.length; at += 2) {
          const [x0, y0, x1, y1] = [stroke[at]!, stroke[at + 1]!, stroke[at + 2]!, stroke[at + 3]!];
          stampLine(grid, left + x0 * height, y + y0 * height, left + x1 * height, y + y1 * height, half);
        }
      }
    },
    text(text, x, y, height, weight) {
      for (const glyph of layOutText(text)) raster.glyph(glyph, x, y, height, weight);
    },
    cutOut(other) {
      for (let at = 0; at < grid.cells.length; at++) grid.cells[at]! *= 1 - other.cells[at]!;
    },
  };
  return raster;
}

interface Grid {
  readonly cells: Float32Array;
  /** Keeps the larger coverage in every cell that a shape's box touches. */
  stamp(shape: Box, distance: (x: number, y: number) => number): void;
  sample(x: number, y: number): number;
}

function createGrid(box: Box, cell: number): Grid {
  const columns = Math.ceil((box.right - box.left) / cell);
  const rows = Math.ceil((box.bottom - box.top) / cell);
  const cells = new Float32Array(columns * rows);
  return {
    cells,
    stamp(shape, distance) {
      const firstColumn = Math.max(0, Math.floor((shape.left - box.left) / cell) - 1);
      const lastColumn = Math.min(columns - 1, Math.ceil((shape.right - box.left) / cell) + 1);
      const firstRow = Math.max(0, Math.floor((shape.top - box.top) / cell) - 1);
      const lastRow = Math.min(rows - 1, Math.ceil((shape.bottom - box.top) / cell) + 1);
      for (let row = firstRow; row <= lastRow; row++) {
        const y = box.top + (row + 0.5) * cell;
        for (let column = firstColumn; column <= lastColumn; column++) {
          const inked = coverage(distance(box.left + (column + 0.5) * cell, y), cell);
          const at = row * columns + column;
          if (inked > cells[at]!) cells[at] = inked;
        }
      }
    },
    sample(x, y) {
      const u = (x - box.left) / cell - 0.5;
      const v = (y - box.top) / cell - 0.5;
      const column = Math.floor(u);
      const row = Math.floor(v);
      if (column < 0 || row < 0 || column >= columns - 1 || row >= rows - 1) return 0;
      const at = row * columns + column;
      const upper = mix(cells[at]!, cells[at + 1]!, u - column);
      const lower = mix(cells[at + columns]!, cells[at + columns + 1]!, u - column);
      return mix(upper, lower, v - row);
    },
  };
}

function stampLine(grid: Grid, x0: number, y0: number, x1: number, y1: number, half: number): void {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const squared = dx * dx + dy * dy;
  const shape = {
    left: Math.min(x0, x1) - half,
    top: Math.min(y0, y1) - half,
    right: Math.max(x0, x1) + half,
    bottom: Math.max(y0, y1) + half,
  };
  grid.stamp(shape, (x, y) => {
    const share = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / squared));
    const ex = x - x0 - dx * share;
    const ey = y - y0 - dy * share;
    return Math.sqrt(ex * ex + ey * ey) - half;
  });
}
