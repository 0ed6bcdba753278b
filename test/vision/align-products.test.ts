import { describe, expect, it } from 'vitest';
import { type Placement, renderProduct } from '../../src/demo/demo-product.ts';
import { applyAffine, composeAffine, invertAffine, translation } from '../../src/vision/math/affine.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { createRegistrar } from '../../src/vision/preprocess/registration/register-image.ts';
import { warpImage } from '../../src/vision/preprocess/warp-image.ts';
import type { RgbImage } from '../../src/vision/types.ts';
import { getDemoProduct, products } from '../support/demo-images.ts';

const SIZE = 512;
const LIMITS = { shift: 0.15, degrees: 15 };

/** The pixel at which a point of the product is seen. */
function seenAt(at: Placement, x: number, y: number): [number, number] {
  const cos = at.scale * Math.cos((at.degrees * Math.PI) / 180);
  const sin = at.scale * Math.sin((at.degrees * Math.PI) / 180);
  return [SIZE * (0.5 + at.x + x * cos - y * sin), SIZE * (0.5 + at.y + x * sin + y * cos)];
}

describe.each(['machined-part', 'printed-label'])('%s moved by up to 10 %% and 10°', async (id) => {
  const product = getDemoProduct(id);
  const reference = await renderProduct(product, createRandom(1), { width: SIZE, height: SIZE });
  const registrar = createRegistrar(reference.image, LIMITS);

  it('is found to less than a pixel and half a degree, good or defective', async () => {
    const random = createRandom(8);
    const wobble = (): number => random.next() * 2 - 1;
    // Where the green ink is out of register as a whole, there are two right answers.
    const kinds = [undefined, ...product.defects.filter((kind) => kind !== 'misprint')];
    for (const [index, defect] of kinds.entries()) {
      const corner = index % 2 ? 1 : -1;
      const move =
        index < 2
          ? { x: 0.1 * corner, y: -0.1, degrees: 10 * corner }
          : { x: wobble() * 0.1, y: wobble() * 0.1, degrees: wobble() * 10 };
      const options = { width: SIZE, height: SIZE, move, ...(defect === undefined ? {} : { defect }) };
      const sample = await renderProduct(product, createRandom(50 + index), options);
      const found = registrar.register(sample.image);
      expect(found.fault).toBeUndefined();
      const turned = sample.placement.degrees - reference.placement.degrees;
      expect(Math.abs(found.degrees - turned)).toBeLessThan(0.5);
      for (const [x, y] of [
        [0, 0],
        [0.3, 0.25],
        [-0.3, 0.25],
        [0.3, -0.25],
        [-0.3, -0.25],
      ] as const) {
        const [gotX, gotY] = applyAffine(found.toImage, ...seenAt(reference.placement, x, y));
        const [wantedX, wantedY] = seenAt(sample.placement, x, y);
        expect(Math.hypot(gotX - wantedX, gotY - wantedY)).toBeLessThan(1);
      }
    }
  });

  it('is not found in images of other products', async () => {
    for (const other of products.filter((each) => each.id !== id)) {
      const { image } = await renderProduct(other, createRandom(3), { width: SIZE, height: SIZE });
      expect(registrar.register(image).fault).toBe('no_match');
    }
  });

  it.each([
    ['shift', { x: 0.166, y: 0, degrees: 0 }],
    ['shift', { x: 0, y: -0.2, degrees: 4 }],
    ['shift', { x: 0.22, y: 0.1, degrees: 0 }],
    ['rotation', { x: 0, y: 0, degrees: 18 }],
    ['rotation', { x: 0.05, y: -0.05, degrees: -22 }],
    // The holes of the machined part fit again one hole further.
    ['rotation', { x: 0, y: 0, degrees: 25 }],
  ] as const)('is refused because of its %s beyond the limit: %o', async (fault, move) => {
    const sample = await renderProduct(product, createRandom(50), { width: SIZE, height: SIZE, move });
    expect(registrar.register(sample.image).fault).toBe(fault);
  });
});

/** A diagonal bolt, whose thread repeats every nine pixels. */
function drawBolt(): RgbImage {
  const side = 200;
  const data = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const along = (x + y - side) * Math.SQRT1_2;
      const across = (y - x) * Math.SQRT1_2;
      let level = 200;
      if (Math.abs(along) < 70 && Math.abs(across) < 14)
        level = 110 + 70 * Math.sin(((along + 0.3 * across) * 2 * Math.PI) / 9);
      if (along > -75 && along <= -50 && Math.abs(across) < 24) level = 60;
      if (along >= 70 && along < 85 && Math.abs(across) < 85 - along) level = 90;
      data.fill(level, (y * side + x) * 3, (y * side + x) * 3 + 3);
    }
  return { width: side, height: side, data };
}

describe('a bolt', () => {
  const bolt = drawBolt();
  const { width, height } = bolt;
  const limits = { shift: 0.1, degrees: 5 };
  const registrar = createRegistrar(bolt, limits);

  it('is not fitted one thread further where it lies beyond the limits', () => {
    const random = createRandom(5);
    const wobble = (most: number): number => most * (random.next() * 2 - 1);
    for (let round = 0; round < 40; round++) {
      const [right, down, degrees] = [wobble(0.16 * width), wobble(0.16 * width), wobble(8)];
      const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
      const about = composeAffine({ a: cos, b: -sin, c: 0, d: sin, e: cos, f: 0 }, translation(-100, -100));
      const toMoved = composeAffine(translation(100 + right, 100 + down), about);
      const toInput = invertAffine(toMoved);
      const moved = warpImage({ image: bolt, toInput, width, height });
      const found = registrar.register(moved.image);
      const beyond = Math.max(Math.abs(right), Math.abs(down)) / width - limits.shift;
      const tooTurned = Math.abs(degrees) - limits.degrees;
      // Nearer to a limit than this, both answers are right.
      if (Math.abs(beyond) < 0.005 || Math.abs(tooTurned) < 0.3) continue;
      expect([right, down, degrees, found.fault]).toEqual([
        right,
        down,
        degrees,
        beyond > 0 ? 'shift' : tooTurned > 0 ? 'rotation' : undefined,
      ]);
      if (found.fault) continue;
      expect(Math.abs(found.scale - 1)).toBeLessThan(0.005);
      for (const [x, y] of [
        [50, 50],
        [150, 150],
      ] as const) {
        const [gotX, gotY] = applyAffine(found.toImage, x, y);
        const [wantedX, wantedY] = applyAffine(toMoved, x, y);
        expect(Math.hypot(gotX - wantedX, gotY - wantedY)).toBeLessThan(1);
      }
    }
  });
});
