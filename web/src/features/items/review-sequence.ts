import type { Item, ItemFilter, ItemPage } from '../../../../src/client/shapes.ts';
import { shrinksByJudging } from './item-filter.ts';

export type FetchPage = (
  filter: ItemFilter,
  page: number,
  count: number,
) => Promise<Pick<ItemPage, 'items' | 'total' | 'end_page'>>;

const pageSize = 100;

/**
 * The items of a review, in the order of the gallery. A verdict may take an item out of the filtered list; the sequence
 * keeps it, so that no item is skipped and the way back works.
 */
export class ReviewSequence {
  readonly filter: ItemFilter;
  #items: Item[] = [];
  #known = new Set<string>();
  #judged = new Set<string>();
  #firstPage: number;
  #total = 0;
  #ended = false;
  readonly #fetchPage: FetchPage;

  constructor(filter: ItemFilter, startIndex: number, fetchPage: FetchPage) {
    this.filter = filter;
    this.#fetchPage = fetchPage;
    this.#firstPage = Math.floor(startIndex / pageSize) + 1;
  }

  get total(): number {
    return this.#total;
  }

  /** Position in the whole list, from 0; -1 if the item is not loaded. */
  positionOf(itemId: string): number {
    const index = this.#items.findIndex((item) => item.item_id === itemId);
    return index < 0 ? -1 : index + (this.#firstPage - 1) * pageSize;
  }

  findItem(itemId: string): Item | undefined {
    return this.#items.find((item) => item.item_id === itemId);
  }

  replaceItem(item: Item): void {
    this.#items = this.#items.map((one) => (one.item_id === item.item_id ? item : one));
  }

  noteJudged(itemId: string): void {
    this.#judged.add(itemId);
  }

  /** The next or the previous item; undefined at either end. */
  async neighbour(itemId: string, step: 1 | -1): Promise<Item | undefined> {
    await this.load(itemId);
    let index = this.#items.findIndex((item) => item.item_id === itemId);
    if (step < 0 && index === 0 && this.#firstPage > 1) await this.#loadBefore();
    if (step > 0 && index === this.#items.length - 1) await this.#loadAfter();
    index = this.#items.findIndex((item) => item.item_id === itemId);
    return index < 0 ? this.#items[0] : this.#items[index + step];
  }

  async load(itemId: string): Promise<void> {
    if (this.#items.length === 0) await this.#loadAfter();
    // A kept address may point behind the first page.
    if (this.positionOf(itemId) < 0 && this.#items.length < pageSize * 2) await this.#loadAfter();
  }

  async #loadAfter(): Promise<void> {
    const left = shrinksByJudging(this.filter) ? this.#judged.size : 0;
    const offset = Math.max(0, this.#items.length - left);
    let page = this.#firstPage + Math.floor(offset / pageSize);
    while (!this.#ended) {
      const answer = await this.#fetchPage(this.filter, page, pageSize);
      this.#total = Math.max(this.#total, answer.total);
      const fresh = answer.items.filter((item) => !this.#known.has(item.item_id));
      for (const item of fresh) this.#known.add(item.item_id);
      this.#items.push(...fresh);
      this.#ended = page >= answer.end_page;
      if (fresh.length > 0) return;
      page++;
    }
  }

  async #loadBefore(): Promise<void> {
    const answer = await this.#fetchPage(this.filter, this.#firstPage - 1, pageSize);
    const fresh = answer.items.filter((item) => !this.#known.has(item.item_id));
    for (const item of fresh) this.#known.add(item.item_id);
    this.#items.unshift(...fresh);
    this.#firstPage--;
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
