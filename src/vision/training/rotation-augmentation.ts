import { layoutTiles } from '../backbone/input-layout.ts';
import { turnImage } from '../image/arrange-image.ts';
import { type Matrix, stackRows, takeRows } from '../math/matrix.ts';
import { median, quantile } from '../math/quantile.ts';
import { openMemorySearch } from '../memory-bank/open-memory-search.ts';
import type { TrainingSample } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { type FitInput, goodSamples } from './fit-input.ts';
import type { Training } from './with-training.ts';

type Source = FitInput & Pick<Training, 'layout' | 'extractor'>;

/** With more tiles of all good images there is no rotation augmentation: it makes training four times as long. */
const FEW = 20;
const IMAGES = 6;
const EVERY = 4;
const SHARE = 0.9;
/** Rotated copies of a product with a right way up bring nothing nearer (1.000 of the distance); of others, 0.92 to 0.98. */
const NEARER = 0.985;

/**
 * Whether training uses rotation augmentation. With `auto` it does where there are few images and rotated copies of the
 * other images explain an image better than the other images alone. So a product with a right way up keeps it.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function usesRotations(training: Source): Promise<boolean> {
  const { rotations } = training.params;
  if (rotations !== 'auto') return String(rotations) === 'true';
  const good = goodSamples(training);
  if (good.length < 2 || good.length * layoutTiles(training.layout).length > FEW) return false;
  const images: { upright: Matrix; turned: Matrix }[] = [];
  for (const sample of good.slice(0, IMAGES)) images.push(await extractTurned(sample, training));
  const ratios: number[] = [];
  for (const [index, { upright }] of images.entries()) {
    throwIfCancelled(training.signal);
    const others = images.filter((_, other) => other !== index);
    const some = Uint32Array.from({ length: Math.ceil(upright.rows / EVERY) }, (_, row) => row * EVERY);
    const queries = takeRows(upright, some);
    const alone = stackRows(others.map((other) => other.upright));
    const withTurned = stackRows(others.map((other) => other.turned));
    ratios.push((await distanceFrom(withTurned, queries, training)) / (await distanceFrom(alone, queries, training)));
  }
  return median(ratios) < NEARER;
}

async function extractTurned(sample: TrainingSample, { signal, extractor }: Source) {
  const { image } = await sample.load();
  const { patches: upright } = await extractor.extract(image);
  const all = [upright];
  for (const quarterTurns of [1, 2, 3] as const) {
    throwIfCancelled(signal);
    all.push((await extractor.extract(turnImage(image, quarterTurns, false))).patches);
  }
  return { upright, turned: stackRows(all) };
}

/** How far all but a tenth of the patches lie from their nearest one. */
async function distanceFrom(bank: Matrix, queries: Matrix, { threads }: FitInput): Promise<number> {
  const search = await openMemorySearch({ bank }, 1, threads);
  try {
    return quantile(await search.patchDistances(queries), SHARE);
  } finally {
    await search.dispose();
  }
}
