import { describe, expect, it } from 'vitest';
import { type Placement, renderProduct } from '../../src/demo/demo-product.ts';
import { getDemoProduct, products } from '../../src/demo/products.ts';
import { applyAffine } from '../../src/vision/math/affine.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { createRegistrar } from '../../src/vision/preprocess/registration/register-image.ts';

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
      expect(found.trusted).toBe(true);
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
      expect(registrar.register(image).trusted).toBe(false);
    }
  });
});
