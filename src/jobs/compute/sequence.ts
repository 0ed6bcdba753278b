/** Runs pieces of work one after another, in the order in which they came. */
export class Sequence {
  #last: Promise<unknown> = Promise.resolve();

  next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The failure of one is told to whoever asked for it, and is nothing to the next.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
