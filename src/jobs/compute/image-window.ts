/** Prefetches images: while one is used, the next few are fetched. */
export class ImageWindow {
  readonly #count: number;
  readonly #ahead: number;
  readonly #fetch: (index: number) => Promise<Uint8Array>;
  readonly #fetched = new Map<number, Promise<Uint8Array>>();

  constructor(count: number, ahead: number, fetch: (index: number) => Promise<Uint8Array>) {
    this.#count = count;
    this.#ahead = ahead;
    this.#fetch = fetch;
  }

  get(index: number): Promise<Uint8Array> {
    const image = this.#fetched.get(index) ?? this.#fetch(index);
    this.#fetched.delete(index);
    // An image out of order is fetched by itself. Prefetched images that were passed over are dropped.
    for (const kept of this.#fetched.keys()) if (kept < index || kept > index + this.#ahead) this.#fetched.delete(kept);
    for (let next = index + 1; next <= Math.min(index + this.#ahead, this.#count - 1); next++) {
      if (this.#fetched.has(next)) continue;
      const bytes = this.#fetch(next);
      // The caller that asks for this image gets the error.
      bytes.catch(() => {});
      this.#fetched.set(next, bytes);
    }
    return image;
  }
}
