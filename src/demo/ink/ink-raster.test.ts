import { describe, expect, it } from 'vitest';
import { createInkRaster } from './ink-raster.ts';
import { layOutText, textWidth } from './stroke-font.ts';

const BOX = { left: -1, top: -1, right: 1, bottom: 1 };

describe('ink raster', () => {
  it('covers the area of its shapes', () => {
    const cell = 0.02;
    const disc = createInkRaster(BOX, cell);
    disc.disc(0.1, -0.2, 0.4);
    const square = createInkRaster(BOX, cell);
    square.rectangle({ left: -0.5, top: -0.25, right: 0.5, bottom: 0.25 });
    const line = createInkRaster(BOX, cell);
    line.line(-0.5, 0, 0.5, 0, 0.1);
    const area = (raster: typeof disc): number => {
      let sum = 0;
      for (let y = -0.97; y < 0.97; y += cell) for (let x = -0.97; x < 0.97; x += cell) sum += raster.sample(x, y);
      return sum * cell * cell;
    };
    expect(area(disc)).toBeCloseTo(Math.PI * 0.16, 2);
    expect(area(square)).toBeCloseTo(0.5, 2);
    expect(area(line)).toBeCloseTo(0.1 + Math.PI * 0.0025, 2);
  });

  it('is empty outside of its box', () => {
    const raster = createInkRaster(BOX, 0.1);
    raster.rectangle(BOX);
    expect(raster.sample(0, 0)).toBe(1);
    expect(raster.sample(1.2, 0)).toBe(0);
  });
});

describe('stroke font', () => {
  it('has every letter and digit, and names one that it lacks', () => {
    const text = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:/';
    expect(layOutText(text).length).toBe(text.length);
    expect(() => layOutText('né')).toThrow(/has no "n"/);
  });

  it('sets letters from left to right within the width', () => {
    const glyphs = layOutText('KN-204');
    const right = Math.max(
      ...glyphs.flatMap((g) => g.strokes.flatMap((s) => s.filter((_, i) => i % 2 === 0).map((x) => x + g.x))),
    );
    expect(right).toBeLessThanOrEqual(textWidth('KN-204') + 1e-9);
    expect(glyphs.map((g) => g.x)).toEqual([...glyphs.map((g) => g.x)].sort((a, b) => a - b));
  });
});
