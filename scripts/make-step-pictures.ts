/** Draws docs/images/preprocess-*.png, each step before and after: `node --import tsx scripts/make-step-pictures.ts`. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { type Move, renderProduct } from '../src/demo/demo-product.ts';
import { sharpImage } from '../src/vision/image/resize-image.ts';
import { createRandom } from '../src/vision/math/random.ts';
import { compileSteps } from '../src/vision/preprocess/compile-steps.ts';
import type { PreparedImage, RgbImage } from '../src/vision/types.ts';
import { getDemoProduct } from '../test/support/demo-images.ts';

const SIDE = 320;
const GAP = 12;
const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));

async function draw(id: string, seed: number, more: { defect?: string; move?: Move } = {}): Promise<RgbImage> {
  const options = { width: SIDE, height: SIDE, ...more };
  return (await renderProduct(getDemoProduct(id), createRandom(seed), options)).image;
}

const mapLevels = (image: RgbImage, change: (level: number, channel: number, at: number) => number): RgbImage => ({
  ...image,
  data: Uint8Array.from(image.data, (level, at) => Math.max(0, Math.min(255, change(level, at % 3, at)))),
});

function speckle(image: RgbImage): RgbImage {
  const random = createRandom(3);
  const specks = Uint8Array.from({ length: SIDE * SIDE }, () => (random.next() < 0.04 ? 1 + random.integer(2) : 0));
  return mapLevels(image, (level, _channel, at) => [level, 0, 255][specks[Math.floor(at / 3)] ?? 0] ?? level);
}

async function soften(image: RgbImage): Promise<RgbImage> {
  return { ...image, data: await sharpImage(image).blur(1.4).raw().toBuffer() };
}

const label = await draw('printed-label', 2);
const moved = await draw('printed-label', 5, { defect: 'missing_character', move: { x: 0.07, y: -0.06, degrees: 9 } });
const part = await draw('machined-part', 4, { defect: 'scratch' });
const turned = await draw('printed-label', 2, { move: { x: 0, y: 0, degrees: -25 } });
const dates = [
  [4, 50],
  [50, 50],
  [50, 77],
  [4, 77],
];

const scenes: readonly [name: string, image: RgbImage, config: Record<string, unknown>][] = [
  ['crop', label, { x: 50, y: 55, width: 42, height: 30 }],
  ['mask', label, { polygons: [dates] }],
  ['resize', label, { width: 160 }],
  ['rotate', turned, { degrees: 25, expand: false }],
  ['align', moved, { reference: 'label' }],
  ['grayscale', label, {}],
  ['equalize', mapLevels(part, (level) => 20 + level * 0.3), { clip_limit: 3 }],
  ['denoise', speckle(part), {}],
  ['sharpen', await soften(label), { amount: 1.5 }],
  ['gamma', mapLevels(part, (level) => 255 * (level / 255) ** 2.2), { gamma: 2.2 }],
  [
    'white_balance',
    mapLevels(label, (level, channel) => level * ([1, 0.82, 0.55][channel] ?? 1)),
    { method: 'white_patch' },
  ],
];

/** Red stripes over what is not inspected. */
function withStripes({ image, inspected }: PreparedImage): RgbImage {
  if (!inspected) return image;
  return mapLevels(image, (level, channel, at) => {
    const pixel = Math.floor(at / 3);
    const stripe = ((pixel % image.width) + Math.floor(pixel / image.width)) % 12 < 4;
    return inspected[pixel] || !stripe ? level : level * 0.4 + (channel === 0 ? 130 : 20);
  });
}

await mkdir(FOLDER, { recursive: true });
const references = new Map([['label', await sharpImage(label).png().toBuffer()]]);
for (const [name, before, config] of scenes) {
  const preprocess = await compileSteps([{ name, config }], references);
  const after = withStripes(await preprocess(before));
  const tiles = [before, after].map((image, index) => ({
    input: Buffer.from(image.data),
    raw: { width: image.width, height: image.height, channels: 3 as const },
    left: index * (SIDE + GAP) + Math.floor((SIDE - image.width) / 2),
    top: Math.floor((SIDE - image.height) / 2),
  }));
  await sharp({ create: { width: SIDE * 2 + GAP, height: SIDE, channels: 3, background: '#ffffff' } })
    .composite(tiles)
    .png({ palette: true, colours: 160, effort: 7 })
    .toFile(`${FOLDER}preprocess-${name}.png`);
}
