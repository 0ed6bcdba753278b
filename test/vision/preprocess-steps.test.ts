import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillFields } from '../../scripts/step-docs.ts';
import { applyAffine, invertAffine } from '../../src/vision/math/affine.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { compileSteps, type Preprocess } from '../../src/vision/preprocess/compile-steps.ts';
import type { StepConfig } from '../../src/vision/preprocess/step.ts';
import { stepCatalogue } from '../../src/vision/preprocess/step-catalogue.ts';
import { findReferences, steps } from '../../src/vision/preprocess/steps.ts';
import { validateStep } from '../../src/vision/preprocess/validate-step.ts';
import type { RgbImage } from '../../src/vision/types.ts';

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

const card = drawCard();
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
  const moved = await sharp(card.data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
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

describe.each(stepCatalogue.map((entry) => [entry.name, entry] as const))('step %s', (name, entry) => {
  it('gives the same bytes each time it is compiled and run, and leaves its input alone', async () => {
    const before = card.data.slice();
    const first = await (await compile(name))(card);
    const preprocess = await compile(name);
    const again = await Promise.all([preprocess(card), preprocess(card)]);
    for (const other of again) {
      expect(Buffer.compare(other.image.data, first.image.data)).toBe(0);
      expect({ ...other, image: 0 }).toEqual({ ...first, image: 0 });
    }
    expect(card.data).toEqual(before);
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
      return result.ok ? '' : result.issues.map((issue) => `${issue.field}: ${issue.message}`).join('\n');
    };
    expect(complaint({ ...entry.example, colour: 1 })).toMatch(/^colour: .*there is no field "colour"/m);
    for (const field of Object.keys(entry.schema.properties)) {
      for (const wrong of [null, { odd: true }]) {
        expect(complaint({ ...entry.example, [field]: wrong })).toMatch(new RegExp(`^${field}[.:]`, 'm'));
      }
    }
    expect(complaint('text')).toMatch(/^config: .*JSON object as a string/);
  });

  it('is documented: its fields as they are, and a picture', () => {
    const document = readFileSync(new URL('preprocessing.md', DOCS), 'utf8');
    expect(fillFields(document, entry)).toBe(document);
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
