import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { Item, ItemFilter } from '../../../../src/client/shapes.ts';
import { type FetchPage, findNeighbour, placeOf, reviewQuery } from './review-list.ts';

const item = (number: number): Item => ({ item_id: `i${number}` }) as Item;

/** A list on the server, from which items with a verdict vanish if the filter says so. */
function serverWith(count: number) {
  const reviewed = new Set<string>();
  const asked: unknown[] = [];
  const fetchPage: FetchPage = async ({ user_result, page = 1, after, count: size }) => {
    asked.push(after ?? page);
    const all = Array.from({ length: count }, (_, number) => item(number));
    const left = all.filter((one) => user_result !== 'none' || !reviewed.has(one.item_id));
    const following = left.filter((one) => after === undefined || Number(one.item_id.slice(1)) > Number(after));
    const items = following.slice((page - 1) * size, page * size);
    const last = items.at(-1)?.item_id;
    return {
      items,
      total: left.length,
      ...(last === undefined || last === left.at(-1)?.item_id ? {} : { next: last.slice(1) }),
    };
  };
  return { reviewed, asked, fetchPage };
}

/** The review that the item screen holds. */
async function openReview(filter: ItemFilter, startIndex: number, fetchPage: FetchPage) {
  const client = new QueryClient();
  const observer = new InfiniteQueryObserver(client, reviewQuery(filter, startIndex, fetchPage));
  await observer.refetch();
  return {
    client,
    data: () => observer.getCurrentResult().data,
    neighbour: async (itemId: string, step: 1 | -1) =>
      (await findNeighbour(observer.getCurrentResult(), itemId, step))?.item_id,
  };
}

describe('the list of a review', () => {
  it('skips nothing although each verdict takes its item out of the list', async () => {
    const { reviewed, fetchPage } = serverWith(350);
    const review = await openReview({ item_type: 'prediction', user_result: 'none' }, 0, fetchPage);
    const seen: string[] = [];
    let current: string | undefined = 'i0';
    while (current) {
      seen.push(current);
      reviewed.add(current);
      current = await review.neighbour(current, 1);
      await review.client.invalidateQueries();
    }
    expect(seen).toEqual(Array.from({ length: 350 }, (_, number) => `i${number}`));
    expect(await review.neighbour('i349', -1)).toBe('i348');
    expect(placeOf('i300', review.data())).toEqual({ at: 301, total: 350 });
  });

  it('starts where the gallery was, and goes back before it', async () => {
    const { asked, fetchPage } = serverWith(350);
    const review = await openReview({ item_type: 'prediction' }, 205, fetchPage);
    expect(await review.neighbour('i205', 1)).toBe('i206');
    expect(placeOf('i205', review.data())).toEqual({ at: 206, total: 350 });
    expect(await review.neighbour('i200', -1)).toBe('i199');
    expect(placeOf('i205', review.data())).toEqual({ at: 206, total: 350 });
    expect(placeOf('i99', review.data())).toBeUndefined();
    expect(asked).toEqual([3, 2]);
  });

  it('ends at either end', async () => {
    const review = await openReview({ item_type: 'training' }, 0, serverWith(3).fetchPage);
    expect(await review.neighbour('i2', 1)).toBeUndefined();
    expect(await review.neighbour('i0', -1)).toBeUndefined();
    expect(await review.neighbour('i1', -1)).toBe('i0');
  });
});
