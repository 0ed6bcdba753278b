import type { Exposure } from '../image/exposure.ts';

/**
 * How an image is brought to the network: squeezed to a canvas, the same for all images of a model, exposed, cut into
 * tiles.
 */
export interface InputLayout {
  readonly canvasWidth: number;
  readonly canvasHeight: number;
  /** Equal to the canvas where it is not tiled. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** Cells of the network in each direction that are averaged into one; absent: 1. */
  readonly pooling?: number;
  /** Absent: images are as bright as they are. */
  readonly exposure?: Exposure;
}

export type Tiling = 'auto' | 'on' | 'off';

/** The network's strides divide this, so that tiles fall on cells. */
const GRAIN = 32;
const OVERLAP = 2 * GRAIN;
/** With `auto`, images are tiled whose sides are on average more than this many times the network's input. */
const AUTO_FACTOR = 6;
/** Original pixels for one pixel of the canvas where it is tiled. */
const TILED_REDUCTION = 2;
/** Where an algorithm has no parameter for it. */
const MOST_TILES = 200;
/** How much the canvas shrinks at a time until its tiles are few enough. */
const SHRINK = 0.98;

const toGrain = (length: number): number => Math.max(GRAIN, Math.round(length / GRAIN) * GRAIN);

/** Cells that are averaged into one, see {@link chooseInputLayout}. */
const POOLING = 2;
/** Input size over the side of a tile, and over the least side of a canvas, where cells are averaged. */
const POOLED_REDUCTION = 2.5;

/**
 * A layout for images about as large as `size`: the canvas keeps their shape and has about `imageSize`² pixels; tiled,
 * it has half the images' resolution, or less where that would be more than `mostTiles` tiles.
 * @param pooled cells are averaged: twice the resolution for the same number of patches. Tiles, which have it anyway,
 * take 1/2.5 of the size instead. Smaller images are not enlarged beyond that.
 */
export function chooseInputLayout(
  size: { readonly width: number; readonly height: number },
  imageSize: number,
  tiling: Tiling,
  mostTiles: number = MOST_TILES,
  pooled = false,
): InputLayout {
  const longSides = Math.sqrt(size.width * size.height);
  // Beyond 1:3 a narrower canvas would have too few cells.
  const shape = Math.min(3, Math.max(1 / 3, size.width / size.height));
  // Enlarged images show no more, and their edges are soft.
  const inputSize = pooled ? Math.max(imageSize / POOLED_REDUCTION, Math.min(imageSize, longSides)) : imageSize;
  const tileWidth = toGrain(inputSize * Math.sqrt(shape));
  const tileHeight = toGrain(inputSize / Math.sqrt(shape));
  const single = { canvasWidth: tileWidth, canvasHeight: tileHeight, tileWidth, tileHeight };
  const tileSize = pooled ? imageSize / POOLED_REDUCTION : imageSize;
  const tiled = tiling === 'on' || (tiling === 'auto' && longSides > AUTO_FACTOR * tileSize);
  if (!tiled) return pooled ? { ...single, pooling: POOLING } : single;
  const side = toGrain(tileSize);
  const layoutAt = (scale: number): InputLayout => ({
    canvasWidth: Math.max(side, toGrain(size.width * scale)),
    canvasHeight: Math.max(side, toGrain(size.height * scale)),
    tileWidth: side,
    tileHeight: side,
  });
  let layout = layoutAt(1 / TILED_REDUCTION);
  for (let scale = SHRINK / TILED_REDUCTION; layoutTiles(layout).length > mostTiles; scale *= SHRINK)
    layout = layoutAt(scale);
  return layout;
}

function offsets(canvas: number, tile: number): number[] {
  if (canvas <= tile) return [0];
  const overlap = Math.min(OVERLAP, tile - GRAIN);
  const count = Math.ceil((canvas - overlap) / (tile - overlap));
  return Array.from({ length: count }, (_, i) => Math.round((i * (canvas - tile)) / (count - 1) / GRAIN) * GRAIN);
}

export interface Tile {
  readonly left: number;
  readonly top: number;
}

/** Places of the tiles on the canvas, row by row; neighbours overlap, so that nothing lies only at a tile's edge. */
export function layoutTiles({ canvasWidth, canvasHeight, tileWidth, tileHeight }: InputLayout): Tile[] {
  const lefts = offsets(canvasWidth, tileWidth);
  return offsets(canvasHeight, tileHeight).flatMap((top) => lefts.map((left) => ({ left, top })));
}
