import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinRows, type Matrix, takeRows } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { type MatrixProduct, openMatrixProduct } from '../onnx/open-matrix-product.ts';
import { VisionError } from '../vision-error.ts';
import { selectCoreset } from './select-coreset.ts';

const random = createRandom(2);
const cloud = (rows: number, columns: number): Matrix => ({
  rows,
  columns,
  data: Float32Array.from({ length: rows * columns }, () => random.normal()),
});

const distance = (m: Matrix, a: number, b: number): number => {
  let sum = 0;
  for (let d = 0; d < m.columns; d++) sum += ((m.data[a * m.columns + d] ?? 0) - (m.data[b * m.columns + d] ?? 0)) ** 2;
  return sum;
};

function slowGreedy(points: Matrix, first: number, count: number): number[] {
  const members = [first];
  while (members.length < count) {
    let [best, largest] = [-1, -1];
    for (let i = 0; i < points.rows; i++) {
      const near = Math.min(...members.map((member) => distance(points, i, member)));
      if (near > largest) [best, largest] = [i, near];
    }
    members.push(best);
  }
  return members;
}

describe('selectCoreset', () => {
  let product: MatrixProduct;
  const never = new AbortController().signal;
  beforeAll(async () => {
    product = await openMatrixProduct();
  });
  afterAll(() => product.dispose());

  it('chooses as plain greedy selection does, also over many pools', async () => {
    const points = cloud(900, 6);
    const options = { count: 120, projectedDims: 0, random: createRandom(1), product, signal: never };
    const members = [...(await selectCoreset(joinRows([points]), options))];
    expect(members).toEqual(slowGreedy(points, members[0] ?? 0, 120));
  });

  it('chooses so among more candidates than are looked at together, the last ones too', async () => {
    const points = cloud(4500, 3);
    points.data.set([9, 9, 9], 3 * 4499);
    const options = { count: 30, projectedDims: 0, random: createRandom(1), product, signal: never };
    const members = [...(await selectCoreset(joinRows([points]), options))];
    expect(members).toEqual(slowGreedy(points, members[0] ?? 0, 30));
    expect(members).toContain(4499);
  });

  it('covers nearly as well through a random projection', async () => {
    const points = cloud(600, 64);
    const radius = (members: ArrayLike<number>): number =>
      Math.max(
        ...Array.from({ length: 600 }, (_, i) =>
          Math.min(...Array.from(members, (member) => distance(points, i, member))),
        ),
      );
    const options = { count: 100, random: createRandom(1), product, signal: never };
    const exact = await selectCoreset(joinRows([points]), { ...options, projectedDims: 0 });
    const projected = await selectCoreset(joinRows([points]), { ...options, projectedDims: 32 });
    expect(radius(projected)).toBeLessThan(1.25 * radius(exact));
  });

  it('chooses the same rows wherever they lie', async () => {
    const points = cloud(5000, 12);
    const part = (start: number, end: number): Matrix =>
      takeRows(
        points,
        Uint32Array.from({ length: end - start }, (_, i) => start + i),
      );
    const parts = [part(0, 0), part(0, 1), part(1, 2100), part(2100, 2100), part(2100, 5000), part(5000, 5000)];
    const options = { count: 60, projectedDims: 6, product, signal: never };
    const apart = await selectCoreset(joinRows(parts), { ...options, random: createRandom(3) });
    expect(apart).toEqual(await selectCoreset(joinRows([points]), { ...options, random: createRandom(3) }));
    expect(joinRows(parts).take(apart)).toEqual(takeRows(points, apart));
  });

  it('projects all of many candidates', async () => {
    const points = cloud(20_000, 8);
    const farRows = [100, 9000, 19_999];
    farRows.forEach((row, axis) => {
      points.data[row * 8 + axis] = 1000;
    });
    const options = { count: 4, projectedDims: 6, random: createRandom(1), product, signal: never };
    expect([...(await selectCoreset(joinRows([points]), options))]).toEqual(expect.arrayContaining(farRows));
  });

  it('needs fewer members, the first of the same, for candidates of less variety', async () => {
    const options = { count: 900, projectedDims: 0, product, signal: never };
    const enough = { least: 150, share: 0.47 };
    const onPlane = cloud(1500, 8);
    onPlane.data.forEach((_, i) => {
      if (i % 8 > 1) onPlane.data[i] = 0;
    });
    const counts: number[] = [];
    for (const points of [onPlane, cloud(1500, 8)]) {
      const all = await selectCoreset(joinRows([points]), { ...options, random: createRandom(1) });
      const some = await selectCoreset(joinRows([points]), { ...options, random: createRandom(1), enough });
      expect(some).toEqual(all.slice(0, some.length));
      counts.push(some.length);
    }
    const [plane = 0, space = 0] = counts;
    expect(plane).toBeGreaterThanOrEqual(150);
    expect(plane).toBeLessThan(space / 2);
    expect(space).toBe(900);
  });

  it('stops at duplicates, takes all when asked for more, and nothing of nothing', async () => {
    const three = cloud(3, 4);
    const copies = takeRows(
      three,
      Uint32Array.from({ length: 30 }, (_, index) => index % 3),
    );
    const options = { count: 50, projectedDims: 0, random: createRandom(1), product, signal: never };
    const members = await selectCoreset(joinRows([copies]), options);
    expect(new Set([...members].map((member) => member % 3))).toEqual(new Set([0, 1, 2]));
    expect((await selectCoreset(joinRows([cloud(0, 4)]), options)).length).toBe(0);
  });

  it('stops when cancelled', async () => {
    const options = { count: 50, projectedDims: 0, random: createRandom(1), product, signal: AbortSignal.abort() };
    await expect(selectCoreset(joinRows([cloud(100, 4)]), options)).rejects.toThrow(VisionError);
  });
});
