import { createStore } from '../store.ts';

interface Asked {
  /** The kind of act, such as `model.activate`. */
  readonly act: string;
  /** Undefined: the person gave up. */
  answer(reason: string | undefined): void;
}

/** The act for which the service wants a reason, while the page asks for it. */
export const askedReason = createStore<Asked | undefined>(undefined);

export function askReason(act: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    askedReason.set({
      act,
      answer: (reason) => {
        askedReason.set(undefined);
        resolve(reason);
      },
    });
  });
}
