import { beforeAll, describe, expect, it } from 'vitest';
import { toEnglish } from '../../engine-messages.ts';
import { sharpImage } from '../../image/resize-image.ts';
import { applyAffine, composeAffine, IDENTITY, invertAffine, translation } from '../../math/affine.ts';
import { createRandom } from '../../math/random.ts';
import type { PreparedImage, RgbImage } from '../../types.ts';
import { compileSteps, type Preprocess } from '../compile-steps.ts';
import { warpImage } from '../warp-image.ts';

const SIZE = 200;

/** A grey card with thirty bright and dark rectangles. */
function drawCard(seed: number): RgbImage {
  const random = createRandom(seed);
  const data = new Uint8Array(SIZE * SIZE * 3).fill(120);
  for (let patch = 0; patch < 30; patch++) {
    const [left, top] = [30 + random.integer(120), 30 + random.integer(120)];
    const [width, height] = [6 + random.integer(24), 6 + random.integer(24)];
    const level = random.integer(256);
    for (let y = top; y < top + height; y++) data.fill(level, (y * SIZE + left) * 3, (y * SIZE + left + width) * 3);
  }
  return { width: SIZE, height: SIZE, data };
}

const turn = (degrees: number, x: number, y: number) => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const about = composeAffine({ a: cos, b: -sin, c: 0, d: sin, e: cos, f: 0 }, translation(-SIZE / 2, -SIZE / 2));
  return composeAffine(translation(SIZE / 2 + x, SIZE / 2 + y), about);
};

function move(image: RgbImage, map: ReturnType<typeof turn>): RgbImage {
  const toInput = invertAffine(map);
  return warpImage({ image, toInput, width: SIZE, height: SIZE }).image;
}

const encode = (image: RgbImage): Promise<Uint8Array> => sharpImage(image).png().toBuffer();

const card = drawCard(1);
let preprocess: Preprocess;

beforeAll(async () => {
  const references = new Map([['card', await encode(card)]]);
  preprocess = await compileSteps([{ name: 'align', config: { reference: 'card' } }], references);
});

function worstCorner(aligned: PreparedImage, map: ReturnType<typeof turn>): number {
  const corners = [40, 160].flatMap((x) => [40, 160].map((y): [number, number] => [x, y]));
  const errors = corners.map(([x, y]) => {
    const [wantedX, wantedY] = applyAffine(map, x, y);
    const [gotX, gotY] = applyAffine(aligned.toOriginal, x, y);
    return Math.hypot(gotX - wantedX, gotY - wantedY);
  });
  return Math.max(...errors);
}

describe('align', () => {
  it.each([
    [0, 0, 0],
    [10, 20, -20],
    [-10, -20, 20],
    [4.3, 0.4, 7.7],
    [14, -25, 3],
  ])('finds a turn of %f° and a shift of (%f, %f) pixels', async (degrees, x, y) => {
    const map = turn(degrees, x, y);
    const aligned = await preprocess(move(card, map));
    expect(aligned.remarks).toBeUndefined();
    expect(worstCorner(aligned, map)).toBeLessThan(0.5);
  });

  it('does not inspect what came from outside of the image', async () => {
    const { inspected } = await preprocess(move(card, turn(0, 20, 0)));
    // Moved 20 to the right: the reference's last 20 columns are not in the image.
    expect(inspected?.[100 * SIZE + 177]).toBe(1);
    expect(inspected?.[100 * SIZE + 183]).toBe(0);
  });

  it('takes a darker image with a defect and another size', async () => {
    const map = turn(6, 11, -8);
    const moved = move(card, map);
    const data = moved.data.map((level) => level * 0.6);
    for (let y = 90; y < 110; y++) data.fill(255, (y * SIZE + 90) * 3, (y * SIZE + 110) * 3);
    expect(worstCorner(await preprocess({ ...moved, data }), map)).toBeLessThan(0.7);

    for (const factor of [2, 0.6]) {
      const side = SIZE * factor;
      const resized = await sharpImage(moved).resize(side, side).raw().toBuffer();
      const aligned = await preprocess({ width: side, height: side, data: resized });
      expect([aligned.image.width, aligned.image.height]).toEqual([SIZE, SIZE]);
      const [x, y] = applyAffine(aligned.toOriginal, 60, 140);
      const [wantedX, wantedY] = applyAffine(map, 60, 140);
      expect(Math.hypot(x / factor - wantedX, y / factor - wantedY)).toBeLessThan(0.7);
    }
  });

  it('leaves an image where it is, and says so, when the product is not in it or too far', async () => {
    const random = createRandom(5);
    const noise = { width: SIZE, height: SIZE, data: card.data.map(() => random.integer(256)) };
    const flat = { width: SIZE, height: SIZE, data: card.data.map(() => 80) };
    for (const image of [noise, flat, drawCard(2), move(card, turn(40, 0, 0))]) {
      const left = await preprocess(image);
      expect(left.image).toBe(image);
      expect(left.remarks?.map(toEnglish)[0]).toMatch(/^align: the product was not found .*left where it is/);
    }
  });

  it.each([
    [turn(0, 0, 33), { code: 'align.shift', values: { shift: 16.5, most: 15 } }],
    [turn(0, -44, 0), { code: 'align.shift', values: { shift: 22, most: 15 } }],
    [turn(16.4, 0, 0), { code: 'align.rotation', values: { degrees: 16.4, most: 15 } }],
    [turn(-25, 5, 5), { code: 'align.rotation', values: { degrees: 25, most: 15 } }],
    [
      { ...IDENTITY, a: 1.1, c: -10, e: 1.1, f: -10 },
      { code: 'align.scale', values: { size: 110, most: 8 } },
    ],
  ])('leaves an image where it is beyond a limit, and names the limit: %o', async (map, remark) => {
    const image = move(card, map);
    const left = await preprocess(image);
    expect(left.image).toBe(image);
    expect(left.remarks).toEqual([remark]);
  });

  it('says what to do without a reference or with one that is too small', async () => {
    const step = [{ name: 'align', config: { reference: 'other' } }];
    await expect(compileSteps(step, new Map())).rejects.toThrow(/no image for reference "other"; name an item/);
    const tiny = await encode({ width: 20, height: 20, data: new Uint8Array(1200).fill(136) });
    await expect(compileSteps(step, new Map([['other', tiny]]))).rejects.toThrow(/20×20 pixels.*at least 48/);
  });

  it('registers to the reference as the steps before it leave it', async () => {
    const references = new Map([['card', await encode(card)]]);
    const steps = [
      { name: 'crop', config: { x: 10, y: 10, width: 80, height: 80 } },
      { name: 'align', config: { reference: 'card' } },
    ];
    const map = turn(5, 4, -6);
    const aligned = await (await compileSteps(steps, references))(move(card, map));
    expect([aligned.image.width, aligned.image.height]).toEqual([160, 160]);
    const [x, y] = applyAffine(aligned.toOriginal, 80, 60);
    const [wantedX, wantedY] = applyAffine(map, 100, 80);
    expect(Math.hypot(x - wantedX, y - wantedY)).toBeLessThan(0.5);
  });
});

it('refuses a reference that shows nothing', async () => {
  const blank = { width: 100, height: 80, data: new Uint8Array(24_000).fill(90) };
  const slit = { width: 60, height: 6000, data: Uint8Array.from({ length: 1_080_000 }, (_, at) => (at * 7919) % 251) };
  for (const picture of [blank, slit]) {
    const compiling = compileSteps(
      [{ name: 'align', config: { reference: 'blank' } }],
      new Map([['blank', await encode(picture)]]),
    );
    await expect(compiling).rejects.toThrow(
      `${picture.width}×${picture.height} pixels at this step) shows no structure`,
    );
  }
});
