/** How many images there are and how large they are, in rows that add up. Kept by triggers. */
export interface ImageTotalsTable {
  images: number;
  /** Of the files as uploaded. */
  bytes: number;
}
