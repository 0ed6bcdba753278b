import { Tensor } from 'onnxruntime-node';
import { composeAffine, IDENTITY } from '../math/affine.ts';
import { boundsOf } from '../math/cell-bounds.ts';
import { labelComponents } from '../math/connected-components.ts';
import { resizeMap } from '../math/resize-map.ts';
import { openSession } from '../onnx/open-session.ts';
import type { ImageFrame, Rectangle, Region, RgbImage } from '../types.ts';
import { rawScoreAt } from './anomaly-map.ts';
import type { InspectedMap } from './inspected-map.ts';
import { type GridShape, placeOf } from './trace-outline.ts';

/** Samples along each side of the square that the network sees, and of its refined answer: outlines are smooth there. */
const [SIDE, FINE_SIDE] = [64, 128];
/** Room around the grown cells, as a share of their longer side; and the square's side in pixels at least. */
const [ROOM, LEAST_SIDE] = [1 / 3, 64];
/** Probability from which a place belongs to the defect. */
const INSIDE = 0.1;
/** A part with fewer samples is no outline. */
const FEWEST_SAMPLES = 16;
/** Instead of a limit or peak of 0. */
const LEAST_SCORE = 1e-9;
/** The rectangle of a region that grew to so many cells of the algorithm's map goes around the map's one as well. */
const LARGE_CELLS = 80;
/** So many regions are outlined, the highest first, so that an image full of regions does not hold up the line. */
const MOST_OUTLINED = 10;

/** A square of the canvas in whole pixels; it may reach beyond the canvas. */
interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

function squareAround(grown: Int32Array, { map: { rows, columns } }: InspectedMap, canvas: RgbImage): Square {
  const around = boundsOf(grown, columns);
  const [cellWidth, cellHeight] = [canvas.width / columns, canvas.height / rows];
  const longer = Math.max((around.bottom - around.top) * cellHeight, (around.right - around.left) * cellWidth);
  const side = Math.round(Math.max(LEAST_SIDE, (1 + 2 * ROOM) * longer));
  const [x, y] = [((around.left + around.right) / 2) * cellWidth, ((around.top + around.bottom) / 2) * cellHeight];
  return { left: Math.round(x - side / 2), top: Math.round(y - side / 2), side };
}

/** Means of the square's pixels in each sample. Beyond the canvas its border goes on. [SIDE · SIDE · 3] */
function samplePixels({ left, top, side }: Square, { width, height, data }: RgbImage): Float32Array {
  const within = (place: number, size: number): number => Math.min(Math.max(place, 0), size - 1);
  const columns = Int32Array.from({ length: side }, (_, x) => 3 * within(left + x, width));
  const rows = Int32Array.from({ length: side }, (_, y) => 3 * width * within(top + y, height));
  const starts = Int32Array.from({ length: SIDE + 1 }, (_, sample) => Math.floor((sample * side) / SIDE));
  const pixels = new Float32Array(SIDE * SIDE * 3);
  for (let row = 0, at = 0; row < SIDE; row++)
    for (let column = 0; column < SIDE; column++) {
      let [red, green, blue] = [0, 0, 0];
      for (let y = starts[row]!; y < starts[row + 1]!; y++)
        for (let x = starts[column]!; x < starts[column + 1]!; x++) {
          const pixel = rows[y]! + columns[x]!;
          red += data[pixel]!;
          green += data[pixel + 1]!;
          blue += data[pixel + 2]!;
        }
      const count = (starts[row + 1]! - starts[row]!) * (starts[column + 1]! - starts[column]!);
      pixels[at++] = red / count;
      pixels[at++] = green / count;
      pixels[at++] = blue / count;
    }
  return pixels;
}

/** Calls `visit` for each sample of a grid over the square, with its place as shares of the canvas's sides. */
function eachSample(
  count: number,
  { left, top, side }: Square,
  canvas: RgbImage,
  visit: (sample: number, x: number, y: number) => void,
): void {
  for (let row = 0, sample = 0; row < count; row++) {
    const y = (top + ((row + 0.5) * side) / count) / canvas.height;
    for (let column = 0; column < count; column++, sample++)
      visit(sample, (left + ((column + 0.5) * side) / count) / canvas.width, y);
  }
}

/** Which samples lie in the marked cells. @param cells [rows · columns], 1 = marked */
function sampleCells(
  count: number,
  square: Square,
  canvas: RgbImage,
  { rows, columns }: InspectedMap['map'],
  cells: Uint8Array,
) {
  const inside = new Uint8Array(count * count);
  eachSample(count, square, canvas, (sample, x, y) => {
    if (x >= 0 && y >= 0 && x < 1 && y < 1)
      inside[sample] = cells[Math.floor(y * rows) * columns + Math.floor(x * columns)]!;
  });
  return inside;
}

/**
 * What the network sees: [6, SIDE, SIDE]. Red, green and blue from their common mean, in common deviations; scores over
 * the limit as parts of it, from −1 to 2; scores as parts of the peak; the grown cells.
 */
function toInput(
  pixels: Float32Array,
  scores: Float32Array,
  grown: Uint8Array,
  rawLimit: number,
  peak: number,
): Float32Array {
  const count = SIDE * SIDE;
  const limit = Math.max(rawLimit, LEAST_SCORE);
  const input = new Float32Array(6 * count);
  let [sum, squares] = [0, 0];
  for (const value of pixels) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / pixels.length;
  const deviation = Math.sqrt(Math.max(0, squares / pixels.length - mean * mean)) + 8;
  for (let sample = 0; sample < count; sample++) {
    for (let channel = 0; channel < 3; channel++)
      input[channel * count + sample] = (pixels[3 * sample + channel]! - mean) / deviation;
    input[3 * count + sample] = Math.min(Math.max(scores[sample]! / limit - 1, -1), 2);
    input[4 * count + sample] = scores[sample]! / Math.max(peak, LEAST_SCORE);
    input[5 * count + sample] = grown[sample]!;
  }
  return input;
}

/** The connected part of the probable samples that covers most of the grown cells; undefined where no sample is probable. */
function largestPart(probable: Uint8Array, grown: Uint8Array): Uint8Array | undefined {
  const { labels, areas } = labelComponents(probable, FINE_SIDE, FINE_SIDE);
  const covered = new Uint32Array(areas.length + 1);
  for (let sample = 0; sample < labels.length; sample++) covered[labels[sample]!]! += grown[sample]!;
  covered[0] = 0;
  const best = covered.indexOf(Math.max(...covered));
  if (best === 0 || areas[best - 1]! < FEWEST_SAMPLES) return undefined;
  const part = new Uint8Array(labels.length);
  for (let sample = 0; sample < part.length; sample++) if (labels[sample] === best) part[sample] = 1;
  return part;
}

/** The rectangle around both. */
const enclosing = (one: Rectangle, other: Rectangle): Rectangle => ({
  xMin: Math.min(one.xMin, other.xMin),
  yMin: Math.min(one.yMin, other.yMin),
  xMax: Math.max(one.xMax, other.xMax),
  yMax: Math.max(one.yMax, other.yMax),
});

/**
 * Opens the network that outlines defects, when it is first needed; see assets/outlines/outlines.md.
 * @param onnx from (1, 6, SIDE, SIDE) by {@link toInput} to probabilities (1, 1, SIDE, SIDE)
 */
export function openOutliner(onnx: Uint8Array) {
  let opened: ReturnType<typeof openSession> | undefined;

  async function shapeOf(
    { grown, rawScore }: Required<Pick<Region, 'grown' | 'rawScore'>>,
    inspectedMap: InspectedMap,
    canvas: RgbImage,
    rawLimit: number,
  ): Promise<GridShape | undefined> {
    const { map, inspected } = inspectedMap;
    const square = squareAround(grown, inspectedMap, canvas);
    const marked = new Uint8Array(map.data.length);
    for (const cell of grown) marked[cell] = 1;
    const scores = new Float32Array(SIDE * SIDE);
    eachSample(SIDE, square, canvas, (sample, x, y) => {
      scores[sample] = rawScoreAt(map, x, y);
    });
    const input = toInput(
      samplePixels(square, canvas),
      scores,
      sampleCells(SIDE, square, canvas, map, marked),
      rawLimit,
      rawScore,
    );
    opened ??= openSession(onnx);
    const { probabilities } = await (await opened).run({ input: new Tensor('float32', input, [1, 6, SIDE, SIDE]) });
    const fine = resizeMap(
      { rows: SIDE, columns: SIDE, data: probabilities!.data as Float32Array },
      FINE_SIDE,
      FINE_SIDE,
    );
    const probable = sampleCells(FINE_SIDE, square, canvas, map, inspected);
    for (let sample = 0; sample < probable.length; sample++) if (fine.data[sample]! < INSIDE) probable[sample] = 0;
    const inside = largestPart(probable, sampleCells(FINE_SIDE, square, canvas, map, marked));
    const cell = square.side / FINE_SIDE;
    return (
      inside && {
        left: square.left,
        top: square.top,
        cellWidth: cell,
        cellHeight: cell,
        rows: FINE_SIDE,
        columns: FINE_SIDE,
        inside,
      }
    );
  }

  return {
    /**
     * The regions with the outline that a person would draw, as far as the network finds one. Score and area stay.
     * @param regions of the map, the highest first @param canvas the pixels that the map was computed from
     */
    async outline(
      regions: readonly Region[],
      inspectedMap: InspectedMap,
      canvas: RgbImage,
      frame: ImageFrame,
      rawLimit: number,
    ): Promise<Region[]> {
      const toImage = { ...IDENTITY, a: frame.image.width / canvas.width, e: frame.image.height / canvas.height };
      const canvasFrame = { ...frame, toOriginal: composeAffine(frame.toOriginal, toImage) };
      const outlined = [...regions];
      for (const [at, region] of regions.slice(0, MOST_OUTLINED).entries()) {
        const { grown, rawScore } = region;
        const shape = grown && (await shapeOf({ grown, rawScore }, inspectedMap, canvas, rawLimit));
        if (!shape) continue;
        const place = placeOf(shape, canvasFrame);
        const isLarge = grown.length > LARGE_CELLS * inspectedMap.refinement ** 2;
        outlined[at] = { ...region, ...place, ...(isLarge && enclosing(region, place)) };
      }
      return outlined;
    },
    dispose: async (): Promise<void> => (await opened)?.release(),
  };
}
