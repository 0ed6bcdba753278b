import { describe, expect, it } from 'vitest';
import { drawProduct, prepared, productSample } from '../../../../test/vision/synthetic-product.ts';
import { tinyBackbone } from '../../../../test/vision/tiny-backbone.ts';
import { createRandom } from '../../math/random.ts';
import type { OwnedImage, TrainingSample } from '../../types.ts';
import { defectClassifier } from '../catalogue.ts';
import { parseParameterValues } from '../contract/parameter-values.ts';

const BLOB = { xMin: 16, yMin: 60, xMax: 36, yMax: 80, label: 7 };

/** A product with a bright square in the lower left. */
function drawBlob(image: OwnedImage): OwnedImage {
  for (let y = BLOB.yMin; y < BLOB.yMax; y++) image.data.fill(250, (y * 96 + BLOB.xMin) * 3, (y * 96 + BLOB.xMax) * 3);
  return image;
}

async function openTrained(samples: readonly TrainingSample[]) {
  const parsed = parseParameterValues(defectClassifier, [
    { name: 'image_size', value: '96' },
    { name: 'bank_size', value: '200' },
  ]);
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const params = parsed.values;
  const backbone = tinyBackbone();
  const signal = new AbortController().signal;
  const random = createRandom(1);
  const result = await defectClassifier.fit({ samples, params, random, backbone, signal, report: () => {} });
  return { result, predictor: await defectClassifier.open(result.payload, backbone, params) };
}

const random = createRandom(40);
const good = Array.from({ length: 6 }, (_, i) => productSample(`good ${i}`, drawProduct(random, false)));
const scratched = (count: number) =>
  Array.from({ length: count }, (_, i) => productSample(`scratch ${i}`, drawProduct(random, true), false));

describe('defect-classifier', () => {
  it('names the class of a defect that it has not seen', async () => {
    const blobs = Array.from({ length: 3 }, (_, i): TrainingSample => {
      const sample = productSample(`blob ${i}`, drawBlob(drawProduct(random, false)), false);
      return { ...sample, regions: [BLOB] };
    });
    const { result, predictor } = await openTrained([...good, ...scratched(3), ...blobs]);
    const labels: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) {
      labels.push((await predictor.predict(prepared(drawProduct(random, true)))).label);
      labels.push((await predictor.predict(prepared(drawBlob(drawProduct(random, false))))).label);
    }
    await predictor.dispose();
    expect(labels).toEqual([1, 7, 1, 7, 1, 7, 1, 7]);
    expect([result.calibration.goodScores.length, result.calibration.defectScores.length]).toEqual([6, 6]);
  });

  it('takes NG images without rectangles, and then has no class number to give', async () => {
    const { result, predictor } = await openTrained([
      ...good,
      ...scratched(3).map((item) => ({ ...item, regions: [] })),
    ]);
    const { map, label } = await predictor.predict(prepared(drawProduct(random, true)));
    await predictor.dispose();
    expect(label).toBeUndefined();
    expect(Math.max(...map.data)).toBeGreaterThan(result.calibration.rawThreshold);
  });

  it('learns from one good and one NG image; without NG it says that it needs one', async () => {
    const [one] = good;
    if (!one) throw new Error('no good image was drawn');
    const { result, predictor } = await openTrained([one, ...scratched(1)]);
    await predictor.dispose();
    expect(result.calibration.rawThreshold).toBeGreaterThan(0);
    await expect(openTrained(good)).rejects.toMatchObject({ code: 'too_few_images' });
  });
});
