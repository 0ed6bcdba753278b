import { createRandom } from '../vision/math/random.ts';
import { type DemoPicture, type DemoProduct, renderProduct } from './demo-product.ts';

export interface DemoSetOptions {
  /** Good samples to train on. */
  readonly good: number;
  /** Unseen good samples. */
  readonly testGood: number;
  /** Unseen samples with a defect; the product's kinds take turns. */
  readonly testDefect: number;
  /** Pixels; 512 where absent. */
  readonly width?: number;
  readonly height?: number;
}

/** One sample, drawn only when asked for, so that a set of thousands takes no memory. */
export interface DemoSample {
  /** `good-001`, `scratch-001`, …: unique within the set, fit for a file name. */
  readonly name: string;
  readonly defect: string | undefined;
  render(): Promise<DemoPicture>;
}

export interface DemoSet {
  readonly training: readonly DemoSample[];
  readonly test: readonly DemoSample[];
}

/** Plans a set of samples of one product. The same seed gives the same pictures, in whatever order they are drawn. */
export function renderDemoSet(product: DemoProduct, seed: number, options: DemoSetOptions): DemoSet {
  const random = createRandom(seed);
  const { width = 512, height = 512 } = options;

  function plan(name: string, defect: string | undefined): DemoSample {
    const sampleSeed = random.integer(2 ** 32);
    const picture = { width, height, ...(defect === undefined ? {} : { defect }) };
    return { name, defect, render: () => renderProduct(product, createRandom(sampleSeed), picture) };
  }

  const number = (index: number): string => String(index + 1).padStart(3, '0');
  const training = Array.from({ length: options.good }, (_, index) => plan(`good-${number(index)}`, undefined));
  const testGood = Array.from({ length: options.testGood }, (_, index) =>
    plan(`good-${number(options.good + index)}`, undefined),
  );
  const testDefect = Array.from({ length: options.testDefect }, (_, index) => {
    const kinds = product.defects.length;
    const kind = product.defects[index % kinds] ?? 'defect';
    return plan(`${kind}-${number(Math.floor(index / kinds))}`, kind);
  });
  return { training, test: [...testGood, ...testDefect] };
}
