/** How many rows there are of a kind. Triggers keep it; on PostgreSQL several rows of one key add up. */
export interface CountsTable {
  /** `items`: every item; `images`: every image; else a model_id: the items that it assessed. */
  scope: string;
  /** See `kept-counts.ts`; 0 for images. */
  list_kind: number;
  count: number;
  /** Size of the images' files, else 0. */
  bytes: number;
}
