import { describe, expect, it } from 'vitest';
import { createBackboneCatalogue } from '../../src/domains/algorithms/backbone-catalogue.ts';
import { levelOf, openLevelExtractor } from '../../src/vision/algorithms/defect-detector/detector-network.ts';
import { openBackbone } from '../../src/vision/backbone/open-backbone.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import type { BackboneFile, RgbImage } from '../../src/vision/types.ts';
import { drawProduct } from './synthetic-product.ts';
import { tinyBackbone } from './tiny-backbone.ts';

function noise(width: number, height: number): RgbImage {
  const random = createRandom(width);
  return { width, height, data: Uint8Array.from({ length: width * height * 3 }, () => random.integer(256)) };
}

describe('a network that takes bytes', () => {
  const levelsOf = async (file: BackboneFile, images: readonly RgbImage[]): Promise<Float32Array[]> => {
    const backbone = await openBackbone(file);
    const levels: Float32Array[] = [];
    for (const image of images)
      for (const { data } of await backbone.extractLevels(image)) levels.push((data as Float32Array).slice());
    await backbone.dispose();
    return levels;
  };

  it('sees what one sees that takes planes, in the memory of the image before as well', async () => {
    const images = [noise(64, 48), noise(48, 64), noise(64, 64)];
    const [planes, bytes] = [
      await levelsOf(tinyBackbone(), images),
      await levelsOf(tinyBackbone({ bytes: 4 }), images),
    ];
    for (const [index, level] of bytes.entries())
      for (const [at, value] of level.entries()) expect(value).toBeCloseTo(planes[index]?.[at] ?? Number.NaN, 4);
  });

  it('is ours in 8 bits, which answers like ours in floats', async () => {
    const catalogue = createBackboneCatalogue(undefined);
    const images = [drawProduct(createRandom(3), true), drawProduct(createRandom(4), false)];
    const [floats, bytes] = await Promise.all(
      ['kensa', 'kensa-int8'].map(async (name) => levelsOf(await catalogue.getBackbone(name), images)),
    );
    for (const [index, level] of bytes!.entries()) {
      const exact = floats![index]!;
      const squares = (values: Float32Array): number => values.reduce((sum, value) => sum + value ** 2, 0);
      expect(squares(level.map((value, at) => value - exact[at]!)) / squares(exact)).toBeLessThan(0.02);
    }
  });
});

describe('our own networks', () => {
  it.each(['kensa', 'kensa-int8'])('%s gives the tensor that its finest level is computed from', async (name) => {
    const file = await createBackboneCatalogue(undefined).getBackbone(name);
    const extractor = await openLevelExtractor(file, levelOf(file.description));
    expect((await extractor.extract(noise(64, 48))).dims).toEqual([1, 128, 6, 8]);
    await extractor.dispose();
    await expect(openLevelExtractor(file, 'no tensor')).rejects.toMatchObject({ code: 'invalid_backbone' });
  });
});
