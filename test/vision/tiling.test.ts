import { beforeAll, describe, expect, it } from 'vitest';
import { patchcore } from '../../src/vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../src/vision/algorithms/contract/parameter-values.ts';
import { imageAuroc } from '../../src/vision/evaluation/ranking-metrics.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import type { BackboneFile, Random, RgbImage } from '../../src/vision/types.ts';
import { loadOwnBackbone } from '../support/texture-images.ts';
import { prepared, productSample } from './synthetic-product.ts';

const SIDE = 700;

/** Brushed sheet with a round opening; the scratch is six pixels wide, 60 to 120 long, a third darker than the sheet. */
function drawSheet(random: Random, scratched: boolean): RgbImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  const streaks = Float32Array.from({ length: SIDE }, () => 12 * random.normal());
  const [x0, y0] = [400 + 200 * random.next(), 100 + 450 * random.next()];
  const [angle, length] = [random.next() * Math.PI, 60 + 60 * random.next()];
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const along = (x - x0) * Math.cos(angle) + (y - y0) * Math.sin(angle);
      const across = (y - y0) * Math.cos(angle) - (x - x0) * Math.sin(angle);
      const scratch = scratched && Math.abs(across) < 3 && Math.abs(along) < length / 2;
      const opening = Math.hypot(x - 200, y - 350) < 90;
      const level = opening ? 30 : (170 + streaks[y]!) * (scratch ? 0.67 : 1);
      const value = Math.min(255, Math.max(0, level + 4 * random.normal()));
      data.fill(value, (y * SIDE + x) * 3, (y * SIDE + x) * 3 + 3);
    }
  return { width: SIDE, height: SIDE, data };
}

describe('tiles', () => {
  let backbone: BackboneFile;
  const random = createRandom(6);
  const training = Array.from({ length: 4 }, (_, i) => productSample(`good ${i}`, drawSheet(random, false)));
  const [good, defect] = [false, true].map((scratched) =>
    Array.from({ length: 4 }, () => drawSheet(random, scratched)),
  );

  beforeAll(async () => {
    backbone = await loadOwnBackbone();
  });

  async function tiledAuroc(): Promise<number> {
    const parsed = parseParameterValues(patchcore, [{ name: 'tiling', value: 'on' }]);
    if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
    const { payload } = await patchcore.fit({
      samples: training,
      params: parsed.values,
      random: createRandom(1),
      backbone,
      threads: 2,
      signal: new AbortController().signal,
      report: () => {},
    });
    const predictor = await patchcore.open(payload, backbone, parsed.values);
    const score = async (image: RgbImage): Promise<number> =>
      (await predictor.predict(prepared(image))).map.data.reduce((most, value) => Math.max(most, value), 0);
    const scores: { good: number[]; defect: number[] } = { good: [], defect: [] };
    for (const image of good ?? []) scores.good.push(await score(image));
    for (const image of defect ?? []) scores.defect.push(await score(image));
    await predictor.dispose();
    return imageAuroc(scores) ?? 0;
  }

  it('find a scratch of six pixels', async () => {
    expect(await tiledAuroc()).toBe(1);
  });
});
