import { describe, expect, it } from 'vitest';
import type { Item } from '../../../../src/client/shapes.ts';
import { type FetchPage, ReviewSequence } from './review-sequence.ts';

const item = (number: number): Item => ({ item_id: `i${number}` }) as Item;
const unjudged = { item_type: 'prediction', user_result: 'none' } as const;

/** A list on the server, from which judged items vanish where the filter says so. */
function serverWith(count: number) {
  const judged = new Set<string>();
  const asked: unknown[] = [];
  const fetchPage: FetchPage = async ({ user_result, page = 1, after, count: size }) => {
    asked.push(after ?? page);
    const all = Array.from({ length: count }, (_, number) => item(number));
    const left = all.filter((one) => user_result !== 'none' || !judged.has(one.item_id));
    const following = left.filter((one) => after === undefined || Number(one.item_id.slice(1)) > Number(after));
    const items = following.slice((page - 1) * size, page * size);
    const last = items.at(-1)?.item_id;
    return {
      items,
      total: left.length,
      ...(last === undefined || last === left.at(-1)?.item_id ? {} : { next: last.slice(1) }),
    };
  };
  return { judged, asked, fetchPage };
}

describe('ReviewSequence', () => {
  it('skips nothing although each verdict takes its item out of the list', async () => {
    const { judged, fetchPage } = serverWith(350);
    const sequence = new ReviewSequence(unjudged, 0, fetchPage);
    const seen: string[] = [];
    let current: Item | undefined = item(0);
    while (current) {
      seen.push(current.item_id);
      judged.add(current.item_id);
      current = await sequence.neighbour(current.item_id, 1);
    }
    expect(seen).toEqual(Array.from({ length: 350 }, (_, number) => `i${number}`));
    expect((await sequence.neighbour('i349', -1))?.item_id).toBe('i348');
  });

  it('starts where the gallery was, and goes back before it', async () => {
    const { asked, fetchPage } = serverWith(350);
    const sequence = new ReviewSequence({ item_type: 'prediction' }, 205, fetchPage);
    expect((await sequence.neighbour('i205', 1))?.item_id).toBe('i206');
    expect(sequence.positionOf('i205')).toBe(205);
    expect(sequence.total).toBe(350);
    expect((await sequence.neighbour('i200', -1))?.item_id).toBe('i199');
    expect(sequence.positionOf('i205')).toBe(205);
    expect(asked).toEqual([3, 2]);
  });

  it('ends at either end', async () => {
    const sequence = new ReviewSequence({ item_type: 'training' }, 0, serverWith(3).fetchPage);
    expect(await sequence.neighbour('i2', 1)).toBeUndefined();
    expect(await sequence.neighbour('i0', -1)).toBeUndefined();
    expect((await sequence.neighbour('i1', -1))?.item_id).toBe('i0');
  });
});
