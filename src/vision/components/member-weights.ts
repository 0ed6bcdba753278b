import { Tensor } from 'onnxruntime-node';
import { squaredLengths } from '../math/squared-lengths.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import { openSession, type Threads } from '../onnx/open-session.ts';
import type { OwnedBank } from './open-left-out-bank.ts';
import { workAhead } from './work-ahead.ts';

/** The spacing of a member is its distance from so many members of other items. */
const NEIGHBOURS = 3;
/** From so few items spacing tells half of what it would from any number: it is believed by items / (items + this). */
const DOUBTED_ITEMS = 300;
const MOST = 4;
/** Members whose products with all others are computed together. */
const BLOCK_ROWS = 128;

/** Puts a value into its place among the smallest, which are sorted; the largest falls out. */
function insertSorted(smallest: Float64Array, value: number): void {
  let at = smallest.length - 1;
  for (; at > 0 && smallest[at - 1]! > value; at--) smallest[at] = smallest[at - 1]!;
  smallest[at] = value;
}

/** Inner products of members with all members, block by block. [{@link BLOCK_ROWS} or fewer, members] */
async function* memberProducts({ rows, columns, data }: Matrix, threads: Threads): AsyncGenerator<Float32Array> {
  const session = await openSession(
    {
      inputs: [{ name: 'some', dims: ['some', columns] }],
      outputs: [{ name: 'products', dims: ['some', rows] }],
      constants: [{ name: 'members', dims: [rows, columns], data }],
      nodes: [{ op: 'Gemm', inputs: ['some', 'members'], outputs: ['products'], attributes: { transB: 1 } }],
    },
    threads,
  );
  const works = Array.from({ length: Math.ceil(rows / BLOCK_ROWS) }, (_, block) => async () => {
    const [start, end] = [block * BLOCK_ROWS, Math.min((block + 1) * BLOCK_ROWS, rows)];
    const some = new Tensor('float32', data.subarray(start * columns, end * columns), [end - start, columns]);
    return (await session.run({ some }))['products']?.data as Float32Array;
  });
  try {
    yield* workAhead(works, 1);
  } finally {
    await session.release();
  }
}

/**
 * Distance of each member from the {@link NEIGHBOURS}rd nearest member of other items, or from the farthest where there are
 * fewer; NaN where there are none. [members]
 */
async function memberSpacings({ bank, owners }: OwnedBank, threads: Threads): Promise<Float64Array> {
  const { rows } = bank;
  const items = new Map([...new Set(owners)].map((owner, index) => [owner, index]));
  const itemOf = Int32Array.from(owners, (owner) => items.get(owner) ?? -1);
  const squares = squaredLengths(bank);
  const spacings = new Float64Array(rows);
  const nearest = new Float64Array(NEIGHBOURS);
  let member = 0;
  for await (const products of memberProducts(bank, threads)) {
    for (let first = 0; first < products.length; first += rows, member++) {
      const [item, square] = [itemOf[member]!, squares[member]!];
      nearest.fill(Number.POSITIVE_INFINITY);
      let farthest = Number.POSITIVE_INFINITY;
      for (let other = 0; other < rows; other++) {
        const distance = squares[other]! - 2 * products[first + other]!;
        if (distance < farthest && itemOf[other] !== item) {
          insertSorted(nearest, distance);
          farthest = nearest[NEIGHBOURS - 1]!;
        }
      }
      const last = nearest.findLast(Number.isFinite) ?? Number.NaN;
      spacings[member] = Math.sqrt(Math.max(0, last + square));
    }
  }
  return spacings;
}

/**
 * What distances from each member are multiplied by: less where other items' members lie far from it. What is good varies
 * more there, so that the same distance says less (local scaling, after Breunig, Kriegel, Ng & Sander, "LOF: Identifying
 * Density-Based Local Outliers", 2000). The weight is the member's spacing, as a part of the mean one, to the power of
 * −items / (items + 300), between 1/4 and 4: few items show little of how anything varies.
 * @returns [members]
 */
export async function memberWeights(owned: OwnedBank, threads: Threads = 1): Promise<Float32Array> {
  const spacings = await memberSpacings(owned, threads);
  const known = spacings.filter((spacing) => !Number.isNaN(spacing));
  const mean = known.reduce((sum, spacing) => sum + spacing, 0) / known.length;
  const items = new Set(owned.owners).size;
  const power = items / (items + DOUBTED_ITEMS);
  // Neither a lone item nor copies of one show any variation.
  if (!(mean > 0)) return new Float32Array(spacings.length).fill(1);
  return Float32Array.from(spacings, (spacing) => {
    if (Number.isNaN(spacing)) return 1;
    return Math.min(MOST, Math.max(1 / MOST, (mean / spacing) ** power));
  });
}
