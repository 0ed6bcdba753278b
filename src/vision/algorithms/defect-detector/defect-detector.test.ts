import { describe, expect, it } from 'vitest';
import { drawProduct, prepared, productSample } from '../../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../../test/vision/tiny-backbone.ts';
import { intersectionOverUnion } from '../../evaluation/detection-metrics.ts';
import { createRandom } from '../../math/random.ts';
import type { OwnedImage, TrainingSample } from '../../types.ts';
import { parseParameterValues } from '../contract/parameter-values.ts';
import { decodeBoxes } from './decode-boxes.ts';
import { defectDetector } from './defect-detector.ts';

const SCRATCH = { xMin: 54, yMin: 28, xMax: 86, yMax: 64, label: 1 };

/** A product with a bright square in the lower left, which nobody has annotated. */
function drawBlob(image: OwnedImage): OwnedImage {
  for (let y = 64; y < 88; y++) image.data.fill(255, (y * 96 + 8) * 3, (y * 96 + 32) * 3);
  return image;
}

async function openTrained(samples: readonly TrainingSample[]) {
  const parsed = parseParameterValues(
    defectDetector,
    Object.entries({ image_size: '64', bank_size: '200', training_steps: '60' }).map(([name, value]) => ({
      name,
      value,
    })),
  );
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const params = parsed.values;
  const backbone = tinyBackbone();
  const signal = new AbortController().signal;
  const random = createRandom(1);
  const result = await defectDetector.fit({ samples, params, random, backbone, signal, report: () => {} });
  return { result, predictor: await defectDetector.open(result.payload, backbone, params) };
}

describe('defect-detector', () => {
  const random = createRandom(60);
  const good = Array.from({ length: 6 }, (_, i) => productSample(`good ${i}`, drawProduct(random, false)));
  const scratched = Array.from({ length: 4 }, (_, i) => productSample(`NG ${i}`, drawProduct(random, true), false));

  it('finds a known defect in its place with its class, and an unknown one without', async () => {
    const { result, predictor } = await openTrained([...good, ...scratched]);
    const known = await predictor.predict(prepared(drawProduct(random, true)));
    const unknown = await predictor.predict(prepared(drawBlob(drawProduct(random, false))));
    await predictor.dispose();
    expect(result.calibration.rawThreshold).toBe(1);
    const [best] = known.regions ?? [];
    expect(best?.label).toBe(1);
    expect(best?.rawScore).toBeGreaterThan(1);
    expect(best && intersectionOverUnion(best, SCRATCH)).toBeGreaterThan(0.33);
    const strange = (unknown.regions ?? []).filter(({ rawScore }) => rawScore >= 1);
    expect(strange.map(({ label }) => label)).toContain(undefined);
    expect(strange[0]?.xMin).toBeLessThan(40);
    expect(strange[0]?.yMax).toBeGreaterThan(60);
  });

  it('says that it needs a rectangle', async () => {
    const bare = scratched.map((sample) => ({ ...sample, regions: [] }));
    await expect(openTrained([...good, ...bare])).rejects.toMatchObject({ code: 'too_few_images' });
    // As a crop leaves them that keeps the left half.
    const cropped = scratched.map((sample) => ({ ...sample, regions: [{ ...SCRATCH, xMin: 100, xMax: 120 }] }));
    await expect(openTrained([...good, ...cropped])).rejects.toThrow('No rectangle of a defect lies in what');
  });
});

describe('decodeBoxes', () => {
  const frame = { ...prepared({ width: 64, height: 64, data: new Uint8Array(0) }) };

  it('joins boxes of one defect, and keeps another class and another place apart', () => {
    const [rows, columns, width] = [8, 8, 7];
    const data = new Float32Array(rows * columns * width);
    const propose = (cell: number, first: number, second: number, left: number): void =>
      data.set([1 - first - second, first, second, left, 0.5, 1 - left, 0.5], cell * width);
    for (let cell = 0; cell < 64; cell++) propose(cell, 0, 0, 0.5);
    // Neighbours that mean the same rectangle, 8 to 24 across; the second thinks of class 2 as well.
    propose(9, 0.9, 0, 0.25);
    propose(10, 0.6, 0.3, 0.75);
    propose(54, 0, 0.8, 0.5);
    const found = decodeBoxes({ rows, columns, patches: { rows: 64, columns: width, data } }, frame);
    expect(found.map(({ labelIndex, probability }) => [labelIndex, Number(probability.toFixed(3))])).toEqual([
      [0, 0.9],
      [1, 0.8],
      [1, 0.3],
    ]);
    expect([found[0]?.xMin, found[0]?.xMax]).toEqual([8, 24]);
  });
});
