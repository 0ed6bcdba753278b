import type { Item, ItemFilter, ItemPage } from '../../../../src/client/shapes.ts';

const pageSize = 100;

interface PageQuery extends ItemFilter {
  readonly page?: number;
  readonly after?: string;
  readonly count: number;
}
export type FetchPage = (query: PageQuery) => Promise<Pick<ItemPage, 'items' | 'total' | 'next'>>;

/**
 * The items of a review, in the order of the gallery. A verdict may take an item out of the filtered list; the sequence
 * keeps it, so that no item is skipped and the way back works.
 */
export class ReviewSequence {
  readonly filter: ItemFilter;
  total = 0;
  #items: Item[] = [];
  #firstPage: number;
  /** Where the items after the last loaded one begin; undefined before the first page, and after the last. */
  #next: string | undefined;
  readonly #fetchPage: FetchPage;

  constructor(filter: ItemFilter, startIndex: number, fetchPage: FetchPage) {
    this.filter = filter;
    this.#fetchPage = fetchPage;
    this.#firstPage = Math.floor(startIndex / pageSize) + 1;
  }

  /** Position in the whole list, from 0; -1 if the item is not loaded. */
  positionOf(itemId: string): number {
    const index = this.#indexOf(itemId);
    return index < 0 ? -1 : index + (this.#firstPage - 1) * pageSize;
  }

  findItem(itemId: string): Item | undefined {
    return this.#items[this.#indexOf(itemId)];
  }

  replaceItem(item: Item): void {
    this.#items = this.#items.map((one) => (one.item_id === item.item_id ? item : one));
  }

  /** The next or the previous item; undefined at either end. */
  async neighbour(itemId: string, step: 1 | -1): Promise<Item | undefined> {
    await this.load(itemId);
    const index = this.#indexOf(itemId);
    if (step < 0 && index === 0 && this.#firstPage > 1) await this.#loadBefore();
    if (step > 0 && index === this.#items.length - 1) await this.#loadAfter();
    return index < 0 ? this.#items[0] : this.#items[this.#indexOf(itemId) + step];
  }

  async load(itemId: string): Promise<void> {
    if (this.#items.length === 0) await this.#loadAfter();
    // A kept address may point behind the first page.
    if (this.#indexOf(itemId) < 0 && this.#items.length < pageSize * 2) await this.#loadAfter();
  }

  #indexOf(itemId: string): number {
    return this.#items.findIndex((item) => item.item_id === itemId);
  }

  async #loadAfter(): Promise<void> {
    const isFirst = this.#items.length === 0;
    if (!isFirst && this.#next === undefined) return;
    const start = this.#next === undefined ? { page: this.#firstPage } : { after: this.#next };
    const answer = await this.#fetchPage({ ...this.filter, ...start, count: pageSize });
    this.total = Math.max(this.total, answer.total);
    this.#items.push(...this.#unknown(answer.items));
    this.#next = answer.next;
  }

  async #loadBefore(): Promise<void> {
    const page = this.#firstPage - 1;
    const { items } = await this.#fetchPage({ ...this.filter, page, count: pageSize });
    this.#items.unshift(...this.#unknown(items));
    this.#firstPage = page;
  }

  /** The same page may be loaded twice at a time. */
  #unknown(items: readonly Item[]): Item[] {
    return items.filter((item) => this.#indexOf(item.item_id) < 0);
  }
}

let current: { key: string; sequence: ReviewSequence } | undefined;

/** The same sequence for the same list, until the gallery is shown again. */
export function getReviewSequence(filter: ItemFilter, startIndex: number, fetchPage: FetchPage): ReviewSequence {
  const key = JSON.stringify(filter);
  if (current?.key !== key) current = { key, sequence: new ReviewSequence(filter, startIndex, fetchPage) };
  return current.sequence;
}

/** The gallery shows the list as it is now, and the next review starts from there. */
export function forgetReviewSequence(): void {
  current = undefined;
}

/** State of the navigation from an item back to its list. */
export const backFromItem = 'back-from-item';

let last: { readonly search: string; readonly at: number } | undefined;

/** The place of the shown item in the list with this address. */
export function rememberPlace(search: string, at: number): void {
  last = { search, at };
}

/** Where the list goes on after one of its items was shown. */
export function recallPlace(search: string): number | undefined {
  return last?.search === search ? last.at : undefined;
}
