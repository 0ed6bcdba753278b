import { layoutTiles } from '../backbone/input-layout.ts';
import { turnImage } from '../image/arrange-image.ts';
import { type Matrix, stackRows, takeRows } from '../math/matrix.ts';
import { median, quantile } from '../math/quantile.ts';
import { openMemorySearch } from '../memory-bank/open-memory-search.ts';
import { warpImage } from '../preprocess/warp-image.ts';
import type { RgbImage, TrainingSample } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { type FitInput, goodSamples } from './fit-input.ts';
import type { Training } from './with-training.ts';

type Source = FitInput & Pick<Training, 'layout' | 'extractor'>;

/** A copy of an image that is learned beside it: mirrored left to right where it says so, then turned clockwise. */
export interface AugmentedCopy {
  readonly degrees: number;
  readonly mirrored: boolean;
}

/** Tiles of images and of automatic copies together, at most: each takes the network's time. */
const LEARNED = 400;
const IMAGES = 6;
const EVERY = 4;
const SHARE = 0.9;
/** Copies of a product with a right way up bring nothing nearer (1.000 of the distance); of others, 0.70 to 0.98. */
const NEARER = 0.985;

const QUARTERS = [0, 90, 180, 270];
const EIGHTHS = [0, 45, 90, 135, 180, 225, 270, 315];
const LEFT_TO_RIGHT: AugmentedCopy = { degrees: 0, mirrored: true };
const UPSIDE_DOWN: AugmentedCopy = { degrees: 180, mirrored: true };

/** All copies at these angles, without the image itself. */
const copiesAt = (angles: readonly number[], sides: readonly boolean[]): AugmentedCopy[] =>
  angles.flatMap((degrees) => sides.map((mirrored) => ({ degrees, mirrored }))).slice(1);

export function augmentImage(image: RgbImage, { degrees, mirrored }: AugmentedCopy): RgbImage {
  if (degrees % 90 === 0) return turnImage(image, (degrees / 90) as 0 | 1 | 2 | 3, mirrored);
  const side = mirrored ? turnImage(image, 0, true) : image;
  const { width, height } = side;
  const angle = (degrees * Math.PI) / 180;
  const [a, b] = [Math.cos(angle), Math.sin(angle)];
  const c = (width - a * width - b * height) / 2;
  const f = (height + b * width - a * height) / 2;
  // Behind the turned corners lies the image itself: they look like its background.
  return warpImage({ image: side, toInput: { a, b, c, d: -b, e: a, f }, width, height, backdrop: side }).image;
}

/**
 * The copies that training learns beside each good image. With `auto`, images are learned with the copies that explain
 * an image better than the other images alone, as many as are affordable. So a product with a right way up keeps it. A single image says
 * nothing of that: it is learned with all copies.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function chooseCopies(training: Source): Promise<AugmentedCopy[]> {
  const { rotations = 'auto', flips = 'auto' } = training.params;
  const good = goodSamples(training);
  const tiles = good.length * layoutTiles(training.layout).length;
  const isAffordable = (copies: readonly AugmentedCopy[]): boolean => tiles * (1 + copies.length) <= LEARNED;
  const isAuto = [rotations, flips].includes('auto') && isAffordable([LEFT_TO_RIGHT]);
  const isSingle = isAuto && good.length === 1;
  const found = isAuto && !isSingle ? await findLikeness(good, training) : undefined;
  const asked = (value: unknown, automatic: boolean): boolean =>
    value === 'auto' ? automatic : String(value) === 'true';
  const turned = asked(rotations, isSingle || found?.turned === true);
  const sides = asked(flips, isSingle || found?.leftToRight === true || found?.upsideDown === true);
  const eachSide = sides ? [false, true] : [false];
  if (turned && rotations !== 'auto') return copiesAt(QUARTERS, eachSide);
  const fewerSides = flips === 'auto' ? [false] : eachSide;
  const turns = [copiesAt(EIGHTHS, eachSide), copiesAt(EIGHTHS, fewerSides), copiesAt(QUARTERS, fewerSides)];
  const affordable = turned ? turns.find(isAffordable) : undefined;
  if (affordable) return affordable;
  if (!sides) return [];
  if (flips !== 'auto' || !found) return [LEFT_TO_RIGHT];
  const mirrored = [...(found.leftToRight ? [LEFT_TO_RIGHT] : []), ...(found.upsideDown ? [UPSIDE_DOWN] : [])];
  return isAffordable(mirrored) ? mirrored : mirrored.slice(0, 1);
}

const KINDS = {
  turned: copiesAt(QUARTERS, [false]),
  leftToRight: [LEFT_TO_RIGHT],
  upsideDown: [UPSIDE_DOWN],
} satisfies Record<string, AugmentedCopy[]>;
type Likeness = Record<keyof typeof KINDS, boolean>;

/** Which kinds of copies of some images bring them nearer to another image. */
async function findLikeness(good: readonly TrainingSample[], training: Source): Promise<Likeness> {
  const { signal, extractor } = training;
  const images: ({ upright: Matrix } & Record<keyof Likeness, Matrix>)[] = [];
  for (const sample of good.slice(0, IMAGES)) {
    const { image } = await sample.load();
    const { patches: upright } = await extractor.extract(image);
    const withCopies = async (copies: readonly AugmentedCopy[]): Promise<Matrix> => {
      const all = [upright];
      for (const copy of copies) {
        throwIfCancelled(signal);
        all.push((await extractor.extract(augmentImage(image, copy))).patches);
      }
      return stackRows(all);
    };
    images.push({
      upright,
      turned: await withCopies(KINDS.turned),
      leftToRight: await withCopies(KINDS.leftToRight),
      upsideDown: await withCopies(KINDS.upsideDown),
    });
  }
  const isNearer = async (kind: keyof Likeness): Promise<boolean> => {
    const ratios: number[] = [];
    for (const image of images) {
      throwIfCancelled(signal);
      const others = images.filter((other) => other !== image);
      const some = Uint32Array.from({ length: Math.ceil(image.upright.rows / EVERY) }, (_, row) => row * EVERY);
      const queries = takeRows(image.upright, some);
      const distanceFrom = (banks: readonly Matrix[]) => typicalDistance(stackRows(banks), queries, training);
      const alone = await distanceFrom(others.map(({ upright }) => upright));
      ratios.push((await distanceFrom(others.map((other) => other[kind]))) / alone);
    }
    return median(ratios) < NEARER;
  };
  return {
    turned: await isNearer('turned'),
    leftToRight: await isNearer('leftToRight'),
    upsideDown: await isNearer('upsideDown'),
  };
}

/** How far all but a tenth of the patches lie from their nearest one. */
async function typicalDistance(bank: Matrix, queries: Matrix, { threads }: FitInput): Promise<number> {
  const search = await openMemorySearch({ bank }, 1, threads);
  try {
    return quantile(await search.patchDistances(queries), SHARE);
  } finally {
    await search.dispose();
  }
}
