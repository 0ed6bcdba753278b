import { describe, expect, it } from 'vitest';
import { newItem } from '../../../test/support/rows.ts';
import type { ItemRow } from '../../storage/database.ts';
import { findAlgorithm } from '../../vision/algorithms/catalogue.ts';
import { planItems } from './training-plan.ts';

const algorithm = findAlgorithm('patchcore');
if (!algorithm) throw new Error('patchcore is missing');

const items = (count: number): ItemRow[] =>
  Array.from(
    { length: count },
    (_, seq) => ({ ...newItem(`i${seq}`, { training: true, person: 'OK' }), seq }) as ItemRow,
  );

describe('planItems', () => {
  it('takes time in proportion to the items', () => {
    const timeOf = (count: number): number => {
      const found = items(count);
      const ids = found.map((item) => item.item_id);
      const startedAt = performance.now();
      expect(planItems(algorithm, ids, found, true)).toHaveLength(count);
      return performance.now() - startedAt;
    };
    timeOf(5_000);
    // Comparing each item with each other takes 6 s and more.
    expect(timeOf(40_000)).toBeLessThan(500);
  });

  it('names items that do not exist, and items that are listed twice', () => {
    const plan = () => planItems(algorithm, ['i0', 'i1', 'i0', 'gone'], items(2), true);
    expect(plan).toThrow(/gone does not exist\..*i0 is listed twice/);
  });
});
