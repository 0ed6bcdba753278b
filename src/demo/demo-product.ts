import sharp from 'sharp';
import { sharpImage } from '../vision/image/resize-image.ts';
import { createRandom } from '../vision/math/random.ts';
import type { OwnedImage, Random, RgbImage } from '../vision/types.ts';
import { between } from './shapes.ts';

/** How far the product lies from its usual place: shares of the picture's shorter side, and degrees clockwise. */
export interface Move {
  readonly x: number;
  readonly y: number;
  readonly degrees: number;
}

/** Where a product lies: its centre from the picture's, in shares of the shorter side, its turn and its size. */
export interface Placement extends Move {
  readonly scale: number;
}

/** A made-up product. It is drawn as SVG in thousandths of the picture's shorter side, its centre at 0, 0. */
export interface DemoProduct {
  /** Lower case with hyphens; never changes. */
  readonly id: string;
  readonly name: string;
  readonly defects: readonly string[];
  /** Definitions and background of the picture, which stay in place when the product moves. */
  readonly background: (random: Random) => string;
  /**
   * The product itself with its own variation.
   * @param degrees its turn, so that light and shadow can stay where the lamps are
   * @param defect one of `defects` and the random numbers for it; what `random` gives does not depend on it
   */
  readonly draw: (random: Random, degrees: number, defect: { kind: string; random: Random } | undefined) => string;
}

/** One sample, drawn only when asked for, so that a set of thousands takes no memory. */
export interface DemoSample {
  /** `good-001`, `scratch-001`, …: unique within the set, fit for a file name. */
  readonly name: string;
  readonly defect: string | undefined;
  render(): Promise<RgbImage>;
}

interface DemoSet {
  readonly training: readonly DemoSample[];
  readonly test: readonly DemoSample[];
}

/**
 * Plans a set of samples of one product. The same seed gives the same pictures, in whatever order they are drawn.
 * @param counts samples to train on, unseen good ones, and unseen ones with a defect, whose kinds take turns
 * @param size in pixels
 */
export function renderDemoSet(
  product: DemoProduct,
  seed: number,
  counts: { readonly good: number; readonly testGood: number; readonly testDefect: number },
  size: { readonly width: number; readonly height: number } = { width: 512, height: 512 },
): DemoSet {
  const random = createRandom(seed);
  const plan = (kind: string, number: number, defect?: string): DemoSample => {
    const sampleSeed = random.integer(2 ** 32);
    const options = { ...size, ...(defect === undefined ? {} : { defect }) };
    return {
      name: `${kind}-${String(number + 1).padStart(3, '0')}`,
      defect,
      render: async () => (await renderProduct(product, createRandom(sampleSeed), options)).image,
    };
  };
  const good = Array.from({ length: counts.good + counts.testGood }, (_, index) => plan('good', index));
  const defects = Array.from({ length: counts.testDefect }, (_, index) => {
    const kinds = product.defects.length;
    const kind = product.defects[index % kinds] ?? 'defect';
    return plan(kind, Math.floor(index / kinds), kind);
  });
  return { training: good.slice(0, counts.good), test: [...good.slice(counts.good), ...defects] };
}

/** The bytes of an image file, as a camera would send them. */
export function encodeJpeg(image: RgbImage): Promise<Buffer> {
  return sharpImage(image).jpeg({ quality: 92 }).toBuffer();
}

/**
 * Draws and photographs one sample. The same random state gives the same sample with and without a defect, and at
 * every size.
 * @param options.defect one of the product's `defects`; absent: a good sample
 * @param options.move absent: only the play of the fixture
 */
export async function renderProduct(
  product: DemoProduct,
  random: Random,
  options: { readonly width: number; readonly height: number; readonly defect?: string; readonly move?: Move },
): Promise<{ image: OwnedImage; placement: Placement }> {
  const { width, height, defect, move = { x: 0, y: 0, degrees: 0 } } = options;
  const sampleRandom = createRandom(random.integer(2 ** 32));
  const defectRandom = createRandom(random.integer(2 ** 32));
  const cameraRandom = createRandom(random.integer(2 ** 32));
  const placement = place(sampleRandom, move);
  const background = product.background(sampleRandom);
  const flaw = defect === undefined ? undefined : { kind: defect, random: defectRandom };
  const drawn = product.draw(sampleRandom, placement.degrees, flaw);
  const { x, y, degrees, scale } = placement;
  const at = `translate(${x * 1000} ${y * 1000}) rotate(${degrees}) scale(${scale})`;
  const unit = 1000 / Math.min(width, height);
  const box = [-width / 2, -height / 2, width, height].map((side) => side * unit);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box.join(' ')}">` +
    `${background}<g transform="${at}">${drawn}</g></svg>`;
  const data = new Uint8Array(await sharp(Buffer.from(svg)).removeAlpha().toColourspace('srgb').raw().toBuffer());
  const image = { width, height, data };
  photograph(image, cameraRandom);
  return { image, placement };
}

/** A fixture with play: within 0.6 % of the side, 1.2° and 0.5 % of the distance to the camera. */
function place(random: Random, move: Move): Placement {
  return {
    x: move.x + between(random, -0.006, 0.006),
    y: move.y + between(random, -0.006, 0.006),
    degrees: move.degrees + between(random, -1.2, 1.2),
    scale: between(random, 0.995, 1.005),
  };
}

/** What differs between two images of one part, in place: exposure, less light in the corners, noise of the sensor. */
function photograph({ width, height, data }: OwnedImage, random: Random): void {
  const exposure = between(random, 0.97, 1.03);
  const warmth = between(random, -0.01, 0.01);
  const tiltX = between(random, -0.04, 0.04);
  const tiltY = between(random, -0.04, 0.04);
  const noise = between(random, 4, 6);
  const gains = [1 + warmth, 1, 1 - warmth];
  const side = Math.min(width, height);
  for (let row = 0, at = 0; row < height; row++) {
    const y = (row + 0.5 - height / 2) / side;
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5 - width / 2) / side;
      const light = exposure * (1 - 0.16 * (x * x + y * y) + tiltX * x + tiltY * y);
      const shared = random.next() - 1;
      for (let channel = 0; channel < 3; channel++, at++) {
        const level = data[at]! * light * gains[channel]! + (shared + random.next()) * noise;
        data[at] = Math.max(0, Math.min(255, Math.round(level)));
      }
    }
  }
}
