import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { toEnglish } from '../../src/vision/engine-messages.ts';
import { sharpImage } from '../../src/vision/image/resize-image.ts';
import { applyAffine, invertAffine } from '../../src/vision/math/affine.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { compileSteps, type Preprocess } from '../../src/vision/preprocess/compile-steps.ts';
import type { StepConfig } from '../../src/vision/preprocess/step.ts';
import { findReferences, steps, validateStep } from '../../src/vision/preprocess/steps.ts';
import type { PreparedImage, ReadonlyBytes, RgbImage } from '../../src/vision/types.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const WIDTH = 240;
const HEIGHT = 180;
/** Middles of the dark dots, in pixels of the original. */
const DOTS: readonly (readonly [number, number])[] = [
  [80, 60],
  [160, 62],
  [118, 130],
];

/** A light, unevenly textured card with a few grey bars and three dark dots. */
function drawCard(): RgbImage {
  const random = createRandom(9);
  const data = Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, () => 185 + random.integer(12));
  for (let bar = 0; bar < 14; bar++) {
    const [left, top, level] = [30 + random.integer(160), 20 + bar * 10, 150 + random.integer(90)];
    for (let y = top; y < top + 5; y++) data.fill(level, (y * WIDTH + left) * 3, (y * WIDTH + left + 24) * 3);
  }
  for (const [cx, cy] of DOTS) {
    for (let y = cy - 8; y < cy + 8; y++) {
      for (let x = cx - 8; x < cx + 8; x++) {
        const far = Math.hypot(x + 0.5 - cx, y + 0.5 - cy);
        if (far < 9) data.fill(far < 5 ? 15 : 205, (y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3);
      }
    }
  }
  return { width: WIDTH, height: HEIGHT, data };
}

/** A small image of random pixels. */
function noise(width: number, height: number, seed: number): RgbImage {
  const random = createRandom(seed);
  return { width, height, data: Buffer.from(Array.from({ length: width * height * 3 }, () => random.integer(256))) };
}

/** The card seen from elsewhere under other light; its edge is repeated. */
function movedCard(right: number, down: number, light: number): RgbImage {
  const data = new Uint8Array(card.data.length);
  for (let at = 0; at < data.length; at++) {
    const [pixel, channel] = [Math.floor(at / 3), at % 3];
    const x = Math.min(WIDTH - 1, Math.max(0, (pixel % WIDTH) - right));
    const y = Math.min(HEIGHT - 1, Math.max(0, Math.floor(pixel / WIDTH) - down));
    data[at] = card.data[(y * WIDTH + x) * 3 + channel]! * light;
  }
  return { ...card, data };
}

/** The bytes inside a larger Buffer, as Node hands them out from its pool. */
function pooledCopy(data: ReadonlyBytes): Buffer {
  const pool = Buffer.alloc(data.length + 64, 0xa5);
  pool.set(data, 24);
  return pool.subarray(24, 24 + data.length);
}

function digest({ image, inspected, remarks, toOriginal }: PreparedImage): string {
  const hash = createHash('sha256')
    .update(new Uint8Array(image.data))
    .update(inspected ?? new Uint8Array());
  return hash.update(JSON.stringify([image.width, image.height, remarks ?? [], toOriginal])).digest('hex');
}

const card = drawCard();
const smallImages = Array.from({ length: 1000 }, (_, seed) => noise(16 + (seed % 7), 17, seed));
const references = new Map<string, Uint8Array>();

/** A config of every step that leaves the dots in the image. */
const CONFIGS: Readonly<Record<string, StepConfig>> = {
  crop: { x: 20, y: 15, width: 70, height: 75 },
  mask: {
    polygons: [
      [
        [0, 0],
        [20, 0],
        [0, 20],
      ],
    ],
  },
  resize: { width: 300, height: 200 },
  rotate: { degrees: 17 },
  align: { reference: 'shifted' },
};

beforeAll(async () => {
  // The reference shows the card 9 pixels further right and 6 further down.
  const moved = await sharpImage(card)
    .extend({ left: 9, top: 6, extendWith: 'copy' })
    .extract({ left: 0, top: 0, width: WIDTH, height: HEIGHT })
    .png()
    .toBuffer();
  references.set('shifted', moved);
});

const compile = (name: string): Promise<Preprocess> =>
  compileSteps([{ name, config: CONFIGS[name] ?? {} }], references);

/** Middle of the dark pixels around a place, weighted by darkness. */
function findDot(image: RgbImage, aroundX: number, aroundY: number): [number, number] {
  let [sum, sumX, sumY] = [0, 0, 0];
  for (let y = Math.floor(aroundY) - 8; y <= Math.floor(aroundY) + 8; y++) {
    for (let x = Math.floor(aroundX) - 8; x <= Math.floor(aroundX) + 8; x++) {
      const dark = Math.max(0, 110 - (image.data[(y * image.width + x) * 3] ?? 255));
      sum += dark;
      sumX += dark * (x + 0.5);
      sumY += dark * (y + 0.5);
    }
  }
  return [sumX / sum, sumY / sum];
}

describe.each(steps.map((entry) => [entry.name, entry] as const))('step %s', (name, entry) => {
  it('gives the same bytes each time it is compiled and run, and leaves its input alone', async () => {
    const before = new Uint8Array(card.data);
    const first = await (await compile(name))(card);
    const preprocess = await compile(name);
    const again = await Promise.all([preprocess(card), preprocess(card)]);
    for (const other of again) {
      expect(digest(other)).toBe(digest(first));
    }
    expect(card.data).toEqual(before);
  });

  it('gives the same bytes for pixels in a pooled Buffer, in any order of images, and after a thousand others', async () => {
    const preprocess = await compile(name);
    const first = await preprocess(card);
    const pooled = { ...card, data: pooledCopy(card.data) };
    const before = Buffer.from(pooled.data);
    const others = [movedCard(-14, -9, 0.9), movedCard(13, -8, 0.8), movedCard(-6, 16, 0.7)];
    const outputs = async (images: readonly RgbImage[]): Promise<string[]> => {
      const prepared: string[] = [];
      for (const image of images) prepared.push(digest(await preprocess(image)));
      return prepared;
    };
    const forwards = await outputs([pooled, ...others]);
    expect(forwards[0]).toBe(digest(first));
    expect((await outputs([...others.toReversed(), pooled])).toReversed()).toEqual(forwards);
    await outputs(smallImages);
    expect(await outputs([pooled])).toEqual([digest(first)]);
    expect(before.compare(pooled.data)).toBe(0);
  });

  it('knows where each of its pixels came from', async () => {
    const { image, toOriginal, inspected, remarks, ...size } = await (await compile(name))(card);
    expect(remarks).toBeUndefined();
    expect(size).toEqual({ originalWidth: WIDTH, originalHeight: HEIGHT });
    expect(image.data.length).toBe(image.width * image.height * 3);
    if (inspected) expect(inspected.length).toBe(image.width * image.height);
    const toStep = invertAffine(toOriginal);
    for (const [x, y] of DOTS) {
      const [foundX, foundY] = findDot(image, ...applyAffine(toStep, x, y));
      const [backX, backY] = applyAffine(toOriginal, foundX, foundY);
      expect(Math.hypot(backX - x, backY - y)).toBeLessThan(0.5);
      expect(inspected?.[Math.floor(foundY) * image.width + Math.floor(foundX)] ?? 1).toBe(1);
    }
  });

  it('has an example that is valid and complete', () => {
    const validated = validateStep(name, JSON.stringify(entry.example));
    expect(validated).toMatchObject({ ok: true });
    const config = JSON.parse(JSON.stringify(CONFIGS[name] ?? {})) as StepConfig;
    expect(validateStep(name, JSON.stringify(config)).ok).toBe(true);
    expect(entry.help.length).toBeGreaterThan(40);
  });

  it('refuses unknown fields and every field of a wrong type, by name', () => {
    const complaint = (config: unknown): string => {
      const result = validateStep(name, JSON.stringify(config));
      return result.ok ? '' : result.issues.map((issue) => `${issue.field}: ${toEnglish(issue.message)}`).join('\n');
    };
    expect(complaint({ ...entry.example, colour: 1 })).toMatch(/^colour: .*colour is not known here/m);
    for (const field of Object.keys(entry.schema.properties)) {
      for (const wrong of [null, { unknown_field: true }]) {
        expect(complaint({ ...entry.example, [field]: wrong })).toMatch(new RegExp(`^${field}[.:]`, 'm'));
      }
    }
    expect(complaint('text')).toMatch(/^config: .*JSON object as a string/);
  });

  it('is documented, with a picture', () => {
    const document = readFileSync(new URL('preprocessing.md', DOCS), 'utf8');
    expect(document).toContain(`## \`${name}\``);
    expect(document).toContain(`images/preprocess-${name}.png`);
    expect(existsSync(new URL(`images/preprocess-${name}.png`, DOCS))).toBe(true);
  });
});

describe('a list of steps', () => {
  it('adds the ways back up, and what is not inspected stays so', async () => {
    const polygons = [
      [
        [0, 0],
        [30, 0],
        [30, 100],
        [0, 100],
      ],
    ];
    const list = [
      { name: 'mask', config: { polygons } },
      { name: 'rotate', config: { degrees: 12 } },
      { name: 'crop', config: { x: 15, y: 15, width: 70, height: 70 } },
      { name: 'resize', config: { width: 230 } },
      { name: 'gamma', config: {} },
    ];
    const { image, toOriginal, inspected } = await (await compileSteps(list, references))(card);
    const toStep = invertAffine(toOriginal);
    for (const [x, y] of DOTS.slice(1)) {
      const [foundX, foundY] = findDot(image, ...applyAffine(toStep, x, y));
      const [backX, backY] = applyAffine(toOriginal, foundX, foundY);
      expect(Math.hypot(backX - x, backY - y)).toBeLessThan(0.5);
    }
    const at = (x: number, y: number): number | undefined => {
      const [column, row] = applyAffine(toStep, x, y);
      return inspected?.[Math.floor(row) * image.width + Math.floor(column)];
    };
    expect([at(68, 100), at(76, 100)]).toEqual([0, 1]);
  });

  it('names the references that it needs, and every step that it lists exists once', () => {
    const step = { name: 'align', config: { reference: 'a' } };
    expect(findReferences([step, { name: 'gamma', config: {} }, step])).toEqual(['a']);
    expect(new Set(steps.map((each) => each.name)).size).toBe(steps.length);
  });

  it('without steps is the image itself', async () => {
    expect((await (await compileSteps([], new Map()))(card)).image).toBe(card);
  });
});
