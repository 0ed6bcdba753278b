import { createInkRaster, type InkRaster } from '../ink/ink-raster.ts';
import { layOutText, textWidth } from '../ink/stroke-font.ts';
import { hashNoise } from '../picture/noise.ts';
import type { Box } from '../picture/scene.ts';

/** The label's outline in frame units, its centre at (0, 0). */
export const LABEL: Box = { left: -0.42, top: -0.32, right: 0.42, bottom: 0.32 };
export const LABEL_CORNER = 0.03;
export const BARCODE: Box = { left: 0.06, top: 0.1, right: 0.36, bottom: 0.24 };
export const BAND: Box = { left: LABEL.left, top: -0.085, right: LABEL.right, bottom: -0.005 };

/** A line of print. Lines of `paper` are left open in the green band. */
export interface TextLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly weight: number;
  readonly ink: 'black' | 'green' | 'red' | 'paper';
}

export const TEXT_LINES: readonly TextLine[] = [
  { text: 'KENSA', x: -0.2, y: -0.27, height: 0.085, weight: 0.2, ink: 'green' },
  { text: 'FINE LEAF TEA', x: -0.197, y: -0.155, height: 0.031, weight: 0.16, ink: 'black' },
  { text: 'SENCHA  250 G', x: -0.36, y: -0.066, height: 0.042, weight: 0.19, ink: 'paper' },
  { text: 'BEST BEFORE', x: -0.37, y: 0.045, height: 0.026, weight: 0.16, ink: 'black' },
  { text: '2027-11-30', x: -0.37, y: 0.084, height: 0.038, weight: 0.18, ink: 'black' },
  { text: 'LOT A7-22914', x: -0.37, y: 0.15, height: 0.026, weight: 0.16, ink: 'black' },
  { text: 'PACKED IN UJI', x: -0.37, y: 0.195, height: 0.02, weight: 0.15, ink: 'black' },
  { text: 'STORE COOL AND DRY', x: -0.37, y: 0.23, height: 0.02, weight: 0.15, ink: 'black' },
  { text: '4 912345 678904', x: 0.06, y: 0.252, height: 0.021, weight: 0.15, ink: 'black' },
  { text: 'ORGANIC', x: 0.248, y: -0.145, height: 0.019, weight: 0.18, ink: 'red' },
];

/** A letter that the printer left out. */
export interface MissingLetter {
  readonly line: number;
  readonly glyph: number;
}

export interface Artwork {
  readonly black: InkRaster;
  readonly green: InkRaster;
  readonly red: InkRaster;
}

/** Draws the printing plates. `cell` is the side of the picture's pixels in frame units. */
export function drawArtwork(cell: number, missing?: MissingLetter): Artwork {
  const plate = (): InkRaster => createInkRaster(LABEL, cell);
  const artwork = { black: plate(), green: plate(), red: plate() };
  const knockOut = plate();
  drawLogo(artwork);
  drawBarcode(artwork.black);
  drawSeal(artwork.red);
  artwork.green.rectangle(BAND);
  const plates = { black: artwork.black, green: artwork.green, red: artwork.red, paper: knockOut };
  TEXT_LINES.forEach((line, lineIndex) => {
    layOutText(line.text).forEach((glyph, glyphIndex) => {
      if (missing?.line === lineIndex && missing.glyph === glyphIndex) return;
      plates[line.ink].glyph(glyph, line.x, line.y, line.height, line.weight);
    });
  });
  artwork.green.cutOut(knockOut);
  return artwork;
}

/** Two leaves on a stem, in a ring. */
function drawLogo(artwork: Artwork): void {
  const x = -0.295;
  const y = -0.2;
  ring(artwork.green, x, y, 0.072, 0.009);
  artwork.green.line(x, y + 0.055, x, y - 0.012, 0.007);
  for (const side of [-1, 1]) {
    for (let step = 0; step <= 14; step++) {
      const t = step / 14;
      const width = 0.034 * Math.sin(Math.PI * t) ** 0.8 + 0.004;
      artwork.green.disc(x + side * (0.008 + 0.034 * t), y + 0.018 - 0.055 * t, width / 2.4);
    }
  }
}

/** Bars and gaps of one to four modules, the same on every label. */
function drawBarcode(black: InkRaster): void {
  const modules = 95;
  const width = (BARCODE.right - BARCODE.left) / modules;
  let at = 0;
  for (let bar = 0; at < modules; bar++) {
    const wide = 1 + Math.floor(hashNoise(bar, 1, 4711) ** 2 * 4);
    const gap = 1 + Math.floor(hashNoise(bar, 2, 4711) ** 2 * 4);
    const left = BARCODE.left + at * width;
    const right = Math.min(BARCODE.right, left + wide * width);
    black.rectangle({ left, top: BARCODE.top, right, bottom: BARCODE.bottom });
    at += wide + gap;
  }
}

function drawSeal(red: InkRaster): void {
  const x = 0.31;
  const y = -0.205;
  ring(red, x, y, 0.042, 0.007);
  red.line(x - 0.018, y + 0.002, x - 0.005, y + 0.016, 0.009);
  red.line(x - 0.005, y + 0.016, x + 0.02, y - 0.015, 0.009);
}

function ring(plate: InkRaster, x: number, y: number, radius: number, thickness: number): void {
  const steps = 40;
  for (let step = 0; step < steps; step++) {
    const from = (step / steps) * 2 * Math.PI;
    const to = ((step + 1) / steps) * 2 * Math.PI;
    plate.line(
      x + radius * Math.cos(from),
      y + radius * Math.sin(from),
      x + radius * Math.cos(to),
      y + radius * Math.sin(to),
      thickness,
    );
  }
}

/** Box of a line's letter, in frame units. */
export function letterBox(missing: MissingLetter): Box {
  const line = TEXT_LINES[missing.line];
  const glyph = line && layOutText(line.text)[missing.glyph];
  if (!line || !glyph) throw new RangeError(`the label has no letter ${missing.glyph} in line ${missing.line}`);
  const left = line.x + glyph.x * line.height;
  const room = line.height * line.weight;
  return {
    left: left - room,
    top: line.y - room,
    right: left + textWidth(glyph.character) * line.height + room,
    bottom: line.y + line.height + room,
  };
}
