/** Where in all names each four letters occur, so that a part of a name is found without reading them. Kept by triggers. */
export interface ItemNameGramsTable {
  /** Four letters of `items.folded_name` from one place on; from the last three places on, what is left of it. */
  gram: string;
  /** Of the item. */
  seq: number;
}
