/** How many numbers (`seq`) a bucket spans. Each item is counted in one of either size. */
export const bucketSizes = { small: 512, large: 16_384 } as const;

/**
 * How many items of each kind arrived in each stretch of `seq`, so that a page far down a long list, and the length of
 * the list, cost the same as the first page. Kept by triggers; on PostgreSQL several rows of one key add up.
 */
export interface ListCountsTable {
  /** `items`: every item; else a model_id: the items that it assessed. */
  scope: string;
  /** One of `bucketSizes`. */
  size: number;
  /** seq of the item divided by the size. */
  bucket: number;
  /** See `domains/items/item-facet.ts`. */
  facet: number;
  count: number;
  /** When the first and the last of them came; where some were deleted, a stretch that holds all that are left. */
  first_at: string | null;
  last_at: string | null;
}
