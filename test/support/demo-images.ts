import { encodeImage } from '../../src/demo/encode-image.ts';
import { getDemoProduct } from '../../src/demo/products.ts';
import { renderDemoSet } from '../../src/demo/render-demo-set.ts';

export interface DemoFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly defect: string | undefined;
}

/** Small pictures of a made-up product, as files. */
export async function demoFiles(
  count: { good: number; testGood: number; testDefect: number },
  options: { product?: string; seed?: number; pixels?: number } = {},
): Promise<{ training: DemoFile[]; test: DemoFile[] }> {
  const { product = 'machined-part', seed = 7, pixels = 256 } = options;
  const set = renderDemoSet(getDemoProduct(product), seed, { ...count, width: pixels, height: pixels });
  const files = (samples: typeof set.training): Promise<DemoFile[]> =>
    Promise.all(
      samples.map(async (sample) => ({
        name: `${sample.name}.jpg`,
        bytes: await encodeImage((await sample.render()).image, 'jpeg'),
        defect: sample.defect,
      })),
    );
  return { training: await files(set.training), test: await files(set.test) };
}
