import { type InfiniteData, infiniteQueryOptions, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Item, ItemFilter, ItemPage } from '../../../../src/client/shapes.ts';

const pageSize = 100;

interface PageStart {
  readonly page?: number;
  /** Where the items after the last loaded one begin. */
  readonly after?: string;
}
type Page = Pick<ItemPage, 'items' | 'total' | 'next'>;
type Pages = InfiniteData<Page>;
export type FetchPage = (query: ItemFilter & PageStart & { count: number }) => Promise<Page>;

/**
 * The items of a review, in the order of the gallery. A verdict may take an item out of the filtered list. The loaded
 * pages keep it until the gallery is shown again, so that no item is skipped and the way back works.
 */
export function reviewQuery(filter: ItemFilter, startIndex: number, fetchPage: FetchPage) {
  const first: PageStart = { page: Math.floor(startIndex / pageSize) + 1 };
  return infiniteQueryOptions({
    queryKey: ['review', filter],
    queryFn: ({ pageParam }) => fetchPage({ ...filter, ...pageParam, count: pageSize }),
    initialPageParam: first,
    getNextPageParam: ({ next }) => (next === undefined ? undefined : { after: next }),
    getPreviousPageParam: (_page, _pages, { page = 1 }) => (page > 1 ? { page: page - 1 } : undefined),
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** The loaded items, each once: pages may overlap. */
export function itemsOf(data: Pages | undefined): Item[] {
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return [...new Map(items.map((item) => [item.item_id, item])).values()];
}

/** The place of an item in the whole list, from 1; undefined if the item is not loaded. */
export function placeOf(itemId: string, data: Pages | undefined): { at: number; total: number } | undefined {
  const index = itemsOf(data).findIndex((item) => item.item_id === itemId);
  if (!data || index < 0) return undefined;
  const { page: firstPage = 1 } = data.pageParams[0] as PageStart;
  return { at: (firstPage - 1) * pageSize + index + 1, total: Math.max(...data.pages.map((page) => page.total)) };
}

type ReviewList = Pick<UseInfiniteQueryResult<Pages>, 'data' | 'fetchNextPage' | 'fetchPreviousPage'>;

/** The next or the previous item; undefined at either end. Loads the page that holds it. */
export async function findNeighbour(list: ReviewList, itemId: string, step: 1 | -1): Promise<Item | undefined> {
  const neighbourIn = (data: Pages | undefined) => {
    const items = itemsOf(data);
    const index = items.findIndex((item) => item.item_id === itemId);
    return index < 0 ? items[0] : items[index + step];
  };
  const loaded = neighbourIn(list.data);
  if (loaded) return loaded;
  const load = step > 0 ? list.fetchNextPage : list.fetchPreviousPage;
  return neighbourIn((await load({ cancelRefetch: false, throwOnError: true })).data);
}

export function replaceItem(data: Pages | undefined, item: Item): Pages | undefined {
  const replaced = (items: readonly Item[]) => items.map((one) => (one.item_id === item.item_id ? item : one));
  return data && { ...data, pages: data.pages.map((page) => ({ ...page, items: replaced(page.items) })) };
}

/** State of the navigation from an item back to its list. */
export const backFromItem = 'back-from-item';

/** The place of the last shown item, from 0, and the address of its list. */
export const lastShown = { search: '', at: 0 };
