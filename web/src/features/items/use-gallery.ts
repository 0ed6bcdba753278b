import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Item, ItemFilter } from '../../../../src/client/shapes.ts';
import { itemPageQuery } from '../../api/queries.ts';
import { useSettled } from '../../components/use-settled.ts';

const pageSize = 60;
const settleMs = 90;

export type GalleryPages = ReturnType<typeof useGalleryPages>;
export type Selection = ReturnType<typeof useSelection>;

/** The first and the last page of these items. */
export const pageRange = (first: number, last: number): string =>
  `${Math.floor(first / pageSize) + 1}-${Math.floor(Math.max(first, last) / pageSize) + 1}`;

/** The pages in sight. A fast scroll does not load the pages that it passes. */
export function useGalleryPages(filter: ItemFilter, range: string) {
  const settled = useSettled(range, settleMs);
  const pages = useMemo(() => {
    const [from = 1, to = 1] = settled.split('-').map(Number);
    const inSight = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    return inSight.includes(1) ? inSight : [1, ...inSight];
  }, [settled]);
  const results = useQueries({ queries: pages.map((page) => itemPageQuery(filter, page, pageSize)) });
  const byPage = new Map(pages.map((page, index) => [page, results[index]?.data]));
  const known = results.find((result) => result.data)?.data;
  return {
    /** Undefined until the first page is loaded. */
    total: known?.total,
    /** The search went back to this time; older items are not in these pages. */
    searchedSince: known?.searched_since,
    error: results.find((result) => result.error && !result.data)?.error ?? null,
    itemAt: (index: number): Item | undefined => byPage.get(Math.floor(index / pageSize) + 1)?.items[index % pageSize],
    refetch: () => {
      for (const result of results) void result.refetch();
    },
  };
}

export function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState(0);
  const add = (added: readonly string[]) => setIds((before) => new Set([...before, ...added]));
  return {
    ids,
    add,
    clear: () => setIds(new Set()),
    toggle: (id: string, index: number) => {
      setAnchor(index);
      const after = new Set(ids);
      if (!after.delete(id)) after.add(id);
      setIds(after);
    },
    /** Adds all items between the last toggled one and this one. */
    extend: (index: number, idAt: (index: number) => string | undefined) => {
      const first = Math.min(anchor, index);
      const between = Array.from({ length: Math.abs(anchor - index) + 1 }, (_, offset) => idAt(first + offset));
      add(between.filter((id) => id !== undefined));
    },
  };
}
