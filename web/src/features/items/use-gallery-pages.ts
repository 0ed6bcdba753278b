import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Item, ItemFilter } from '../../../../src/client/shapes.ts';
import { itemPageQuery } from '../../api/queries.ts';

export const pageSize = 60;
const settleMs = 90;

export interface GalleryPages {
  /** Undefined until the first page is there. */
  readonly total: number | undefined;
  /** The search ended there; what came before it is not in these pages. */
  readonly searchedSince: string | undefined;
  readonly error: Error | null;
  itemAt(index: number): Item | undefined;
  refetch(): void;
}

/** The pages that are in sight; those that a fast scroll only passes are never asked for. */
export function useGalleryPages(filter: ItemFilter, first: number, last: number): GalleryPages {
  const range = `${Math.floor(first / pageSize) + 1}-${Math.floor(Math.max(first, last) / pageSize) + 1}`;
  const settled = useSettled(range);
  const pages = useMemo(() => {
    const [from = 1, to = 1] = settled.split('-').map(Number);
    const inSight = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    return inSight.includes(1) ? inSight : [1, ...inSight];
  }, [settled]);
  const results = useQueries({ queries: pages.map((page) => itemPageQuery(filter, page, pageSize)) });
  const byPage = new Map(pages.map((page, index) => [page, results[index]?.data]));
  const known = results.find((result) => result.data)?.data;
  return {
    total: known?.total,
    searchedSince: known?.searched_since,
    error: results.find((result) => result.error && !result.data)?.error ?? null,
    itemAt: (index) => byPage.get(Math.floor(index / pageSize) + 1)?.items[index % pageSize],
    refetch: () => {
      for (const result of results) void result.refetch();
    },
  };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
