import { createRandom } from '../vision/math/random.ts';
import type { DemoPicture, DemoProduct, RenderOptions } from './demo-product.ts';
import type { Move } from './picture/scene.ts';

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
  /** Each sample lies up to this far from its usual place: a share of the shorter side, and degrees. */
  readonly upTo?: { readonly shift: number; readonly degrees: number };
}

/** One sample, drawn only when asked for, so that a set of thousands takes no memory. */
export interface DemoSample {
  /** `good-001`, `scratch-001`, …: unique within the set, fit for a file name. */
  readonly name: string;
  readonly defect: string | undefined;
  render(): DemoPicture;
}

export interface DemoSet {
  readonly training: readonly DemoSample[];
  readonly test: readonly DemoSample[];
}

/** Plans a set of samples of one product. The same seed gives the same pictures, in whatever order they are drawn. */
export function renderDemoSet(product: DemoProduct, seed: number, options: DemoSetOptions): DemoSet {
  const random = createRandom(seed);
  const { width = 512, height = 512, upTo = { shift: 0, degrees: 0 } } = options;

  function plan(name: string, defect: string | undefined): DemoSample {
    const sampleSeed = random.integer(2 ** 32);
    const wobble = (): number => random.next() * 2 - 1;
    const move: Move = { x: wobble() * upTo.shift, y: wobble() * upTo.shift, degrees: wobble() * upTo.degrees };
    const picture: RenderOptions = defect === undefined ? { width, height, move } : { width, height, move, defect };
    return { name, defect, render: () => product.render(createRandom(sampleSeed), picture) };
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
