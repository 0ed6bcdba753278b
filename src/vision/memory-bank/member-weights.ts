import { Tensor } from 'onnxruntime-node';
import { type Matrix, squaredLengths } from '../math/matrix.ts';
import { GraphBuilder } from '../onnx/graph-builder.ts';
import { openSession } from '../onnx/open-session.ts';
import { prefetch } from '../onnx/prefetch.ts';
import type { OwnedBank } from './open-memory-search.ts';

/** The spacing of a member is its distance from so many members of other items. */
const NEIGHBOURS = 3;
/** From so few items spacing tells half of what it would from any number: it is believed by items / (items + this). */
const DOUBTED_ITEMS = 300;
const MOST = 4;
/** Members whose distances from all others are computed together: the fewer, the less memory each thread takes for them. */
const BLOCK_ROWS = 32;

/** The squared length that a member of the same item seems to have: farther away than any other. */
const FAR = Math.fround(3e38);

/**
 * Squared distances of `some` members from the {@link NEIGHBOURS} nearest of other items, less their own squared
 * lengths; {@link FAR} where there are fewer. @param items number of each member's item, [members]
 */
function nearestOthersGraph({ rows, columns, data }: Matrix, squares: Float32Array, items: Float32Array): Uint8Array {
  const graph = new GraphBuilder();
  const some = graph.input('some', ['some', columns]);
  const someItems = graph.input('some_items', ['some', 1]);
  const distances = graph.add('Gemm', [some, graph.constant(data, [rows, columns]), graph.constant(squares)], {
    alpha: { float: -2 },
    transB: 1,
  });
  const isOwn = graph.add('Equal', [someItems, graph.constant(items, [1, rows])]);
  const others = graph.add('Where', [isOwn, graph.constant(Float32Array.of(FAR)), distances]);
  const near = graph.integers(Math.min(NEIGHBOURS, rows));
  const [nearest] = graph.addSplit('TopK', [others, near], 2, { axis: 1, largest: 0, sorted: 1 });
  graph.output('nearest', nearest!);
  return graph.encode();
}

/**
 * Distance of each member from the {@link NEIGHBOURS}rd nearest member of other items, or from the farthest where there
 * are fewer; NaN without any. [members]
 */
async function memberSpacings({ bank, owners }: OwnedBank, threads: number): Promise<Float64Array> {
  const { rows, columns, data } = bank;
  const numbers = new Map([...new Set(owners)].map((owner, index) => [owner, index]));
  const items = Float32Array.from(owners, (owner) => numbers.get(owner) ?? -1);
  const squares = Float32Array.from(squaredLengths(bank));
  const session = await openSession(nearestOthersGraph(bank, squares, items), threads);
  const findNearest = async (block: number) => {
    const [start, end] = [block * BLOCK_ROWS, Math.min((block + 1) * BLOCK_ROWS, rows)];
    const { nearest } = await session.run({
      some: new Tensor('float32', data.subarray(start * columns, end * columns), [end - start, columns]),
      some_items: new Tensor('float32', items.subarray(start, end), [end - start, 1]),
    });
    return nearest?.data as Float32Array;
  };
  const blocks = Array.from({ length: Math.ceil(rows / BLOCK_ROWS) }, (_, block) => block);
  const spacings = new Float64Array(rows);
  let member = 0;
  try {
    for await (const nearest of prefetch(blocks, findNearest, 1)) {
      const near = Math.min(NEIGHBOURS, rows);
      for (let first = 0; first < nearest.length; first += near, member++) {
        const last = nearest.subarray(first, first + near).findLast((distance) => distance < FAR) ?? Number.NaN;
        spacings[member] = Math.sqrt(Math.max(0, last + squares[member]!));
      }
    }
  } finally {
    await session.release();
  }
  return spacings;
}

/**
 * What distances from each member are multiplied by: less where other items' members lie far from it, because what is
 * good varies more there (local scaling, after Breunig, Kriegel, Ng & Sander, "LOF", 2000). The weight is the member's
 * spacing, as a part of the mean one, to the power of −items / (items + 300), between 1/4 and 4. [members]
 */
export async function memberWeights(owned: OwnedBank, threads: number = 1): Promise<Float32Array> {
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
