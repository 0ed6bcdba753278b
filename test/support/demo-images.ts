import { type DemoProduct, type DemoSample, encodeJpeg, renderDemoSet } from '../../src/demo/demo-product.ts';
import { machinedPart } from '../../src/demo/machined-part.ts';
import { printedLabel } from './printed-label.ts';

export interface DemoFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly defect: string | undefined;
}

/** The product of `kensa demo`, and another one. */
export const products: readonly DemoProduct[] = [machinedPart, printedLabel];

/** @throws RangeError that names the products for an id that none of them has */
export function getDemoProduct(id: string): DemoProduct {
  const product = products.find((candidate) => candidate.id === id);
  if (product) return product;
  throw new RangeError(`there is no demo product "${id}"; there are ${products.map((each) => each.id).join(', ')}`);
}

/** Small pictures of a made-up product, as files. */
export async function demoFiles(
  count: { good: number; testGood: number; testDefect: number },
  options: { product?: string; seed?: number; pixels?: number } = {},
): Promise<{ training: DemoFile[]; test: DemoFile[] }> {
  const { product = 'machined-part', seed = 7, pixels = 256 } = options;
  const set = renderDemoSet(getDemoProduct(product), seed, count, { width: pixels, height: pixels });
  const files = (samples: readonly DemoSample[]): Promise<DemoFile[]> =>
    Promise.all(
      samples.map(async (sample) => ({
        name: `${sample.name}.jpg`,
        bytes: await encodeJpeg(await sample.render()),
        defect: sample.defect,
      })),
    );
  return { training: await files(set.training), test: await files(set.test) };
}
