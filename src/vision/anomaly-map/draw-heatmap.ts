import { resizeImage, sharpImage } from '../image/resize-image.ts';
import { resizeMap } from '../math/resize-map.ts';
import type { OwnedImage, RgbImage } from '../types.ts';
import { type AnomalyMap, heatmapSize } from './anomaly-map.ts';

type Colour = readonly [red: number, green: number, blue: number, opacity: number];

/** Colours by anomaly score: nothing where it is ordinary, amber below the threshold (0.5), red above. */
const STOPS: readonly (readonly [score: number, Colour])[] = [
  [0.38, [255, 214, 64, 0]],
  [0.46, [255, 190, 40, 90]],
  [0.5, [255, 120, 20, 150]],
  [0.6, [230, 20, 30, 190]],
  [1, [200, 0, 60, 215]],
];

function colourOf(score: number): Colour {
  const next = STOPS.findIndex(([position]) => score <= position);
  const [upperScore, upper] = STOPS[next]!;
  const [lowerScore, lower] = STOPS[Math.max(0, next - 1)]!;
  const share = next === 0 ? 1 : (score - lowerScore) / (upperScore - lowerScore);
  const mix = (channel: 0 | 1 | 2 | 3): number => lower[channel] * (1 - share) + upper[channel] * share;
  return [mix(0), mix(1), mix(2), mix(3)];
}

/** Red, green, blue, opacity for each of 256 scores. */
const COLOURS = Uint8Array.from({ length: 1024 }, (_, index) => colourOf(Math.floor(index / 4) / 255)[index % 4] ?? 0);

/** Lays the colours of the scores, stretched bilinearly, over the picture, in place. */
function blendColours({ width, height, data }: OwnedImage, map: AnomalyMap): void {
  const coarse = { rows: map.height, columns: map.width, data: Float32Array.from(map.data) };
  const scores = resizeMap(coarse, height, width).data;
  for (let pixel = 0; pixel < scores.length; pixel++) {
    const colour = 4 * Math.round(scores[pixel]!);
    const opacity = COLOURS[colour + 3]! / 255;
    if (opacity === 0) continue;
    for (let channel = 0; channel < 3; channel++) {
      const at = 3 * pixel + channel;
      data[at] = data[at]! * (1 - opacity) + COLOURS[colour + channel]! * opacity;
    }
  }
}

/** JPEG of the original image under the colours of its anomaly map, reduced as `heatmapSize` says. */
export async function drawHeatmap(original: RgbImage, map: AnomalyMap): Promise<Uint8Array> {
  const { width, height } = heatmapSize(original);
  const reduced = await resizeImage(original, width, height);
  const picture = { width, height, data: new Uint8Array(reduced.data) };
  blendColours(picture, map);
  // A code table of its own for each picture would take twice the time and save 1 % of the bytes.
  return sharpImage(picture).jpeg({ quality: 85, optimiseCoding: false }).toBuffer();
}
