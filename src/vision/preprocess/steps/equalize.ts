import Type from 'typebox';
import type { RgbImage } from '../../types.ts';
import { defineStep, withPixels } from '../step.ts';
import { lumaOf, toByte } from './colour.ts';

/** Contrast-limited adaptive histogram equalization (Zuiderveld 1994) of the brightness; colours keep their tint. */
export const equalize = defineStep({
  name: 'equalize',
  title: 'Equalize contrast',
  help: 'Evens out contrast in every part of the image (CLAHE). Use it where light is uneven or faint defects drown in dark areas.',
  fields: {
    clip_limit: Type.Number({
      minimum: 1,
      maximum: 10,
      default: 2,
      description: 'How far contrast may be raised; lower it if noise comes up',
    }),
    tiles: Type.Integer({ minimum: 1, maximum: 32, default: 8, description: 'Areas along each side' }),
  },
  example: { clip_limit: 2, tiles: 8 },
  build: (config) => async (prepared) =>
    withPixels(prepared, equalizeImage(prepared.image, config.clip_limit, config.tiles)),
});

function equalizeImage(image: RgbImage, clipLimit: number, tilesWanted: number): Uint8Array {
  const { width, height, data } = image;
  const tiles = Math.max(1, Math.min(tilesWanted, width >> 2, height >> 2));
  const curves: Uint8Array[] = [];
  for (let row = 0; row < tiles; row++) {
    for (let column = 0; column < tiles; column++) curves.push(tileCurve(image, column, row, tiles, clipLimit));
  }
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    const v = Math.min(tiles - 1, Math.max(0, ((y + 0.5) * tiles) / height - 0.5));
    const top = Math.min(tiles - 1, v | 0);
    const bottom = Math.min(tiles - 1, top + 1);
    for (let x = 0; x < width; x++) {
      const u = Math.min(tiles - 1, Math.max(0, ((x + 0.5) * tiles) / width - 0.5));
      const left = Math.min(tiles - 1, u | 0);
      const right = Math.min(tiles - 1, left + 1);
      const at = (y * width + x) * 3;
      const luma = lumaOf(data, at);
      const upper = between(curves[top * tiles + left]![luma]!, curves[top * tiles + right]![luma]!, u - left);
      const lower = between(curves[bottom * tiles + left]![luma]!, curves[bottom * tiles + right]![luma]!, u - left);
      const lift = between(upper, lower, v - top) - luma;
      for (let channel = 0; channel < 3; channel++) out[at + channel] = toByte(data[at + channel]! + lift);
    }
  }
  return out;
}

/** The tone curve of one tile: its cumulative histogram, no bin higher than the clip limit times the mean. [256] */
function tileCurve(image: RgbImage, column: number, row: number, tiles: number, clipLimit: number): Uint8Array {
  const { width, height, data } = image;
  const edge = (index: number, side: number): number => Math.floor((index * side) / tiles);
  const histogram = new Float64Array(256);
  let pixels = 0;
  for (let y = edge(row, height); y < edge(row + 1, height); y++) {
    for (let x = edge(column, width); x < edge(column + 1, width); x++) {
      histogram[lumaOf(data, (y * width + x) * 3)]! += 1;
      pixels += 1;
    }
  }
  const limit = Math.max(1, (clipLimit * pixels) / 256);
  let excess = 0;
  for (let level = 0; level < 256; level++) {
    if (histogram[level]! <= limit) continue;
    excess += histogram[level]! - limit;
    histogram[level] = limit;
  }
  const curve = new Uint8Array(256);
  let sum = 0;
  for (let level = 0; level < 256; level++) {
    sum += histogram[level]! + excess / 256;
    curve[level] = toByte((sum * 255) / pixels);
  }
  return curve;
}

const between = (from: number, to: number, share: number): number => from + (to - from) * share;
