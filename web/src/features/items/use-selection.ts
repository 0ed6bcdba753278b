import { useCallback, useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  toggle(id: string, index: number): void;
  /** Adds all from the item toggled last up to this one. */
  extend(index: number, idAt: (index: number) => string | undefined): void;
  add(ids: readonly string[]): void;
  clear(): void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState(0);
  const add = useCallback((added: readonly string[]) => setIds((before) => new Set([...before, ...added])), []);
  return {
    ids,
    add,
    clear: useCallback(() => setIds(new Set()), []),
    toggle: useCallback((id, index) => {
      setAnchor(index);
      setIds((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      });
    }, []),
    extend: (index, idAt) => {
      const [from, to] = index < anchor ? [index, anchor] : [anchor, index];
      const between = Array.from({ length: to - from + 1 }, (_, offset) => idAt(from + offset));
      add(between.filter((id) => id !== undefined));
    },
  };
}
