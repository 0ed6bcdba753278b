import { useCallback, useEffect, useRef, useState } from 'react';
import type { Item } from '../../../../src/client/shapes.ts';
import type { Rectangle } from '../viewer/rectangle.ts';
import { newRegion, type Region, readRegions } from './region-state.ts';

const saveAfterMs = 500;

export interface Regions {
  readonly all: readonly Region[];
  readonly selected: Region | undefined;
  select(key: string | undefined): void;
  add(rectangle: Rectangle, image: string): void;
  addAll(regions: readonly Region[]): void;
  change(key: string, changes: Partial<Region>): void;
  remove(key: string): void;
  /** Empties the list without saving: the verdict that is sent says so already. */
  reset(): void;
}

/** The user's regions of one item. Edits are saved a moment after the last one, and when the item is left. */
export function useRegions(item: Item, save: (item: Item, regions: readonly Region[]) => void): Regions {
  const [all, setAll] = useState<readonly Region[]>(() => readRegions(item));
  const [selectedKey, select] = useState<string>();
  const [lastLabel, setLastLabel] = useState<number | null>(null);
  const unsaved = useRef<readonly Region[]>(undefined);
  const latest = useRef({ item, save });
  useEffect(() => {
    latest.current = { item, save };
  });

  const flush = useCallback(() => {
    if (unsaved.current) latest.current.save(latest.current.item, unsaved.current);
    unsaved.current = undefined;
  }, []);
  useEffect(() => {
    if (!unsaved.current) return;
    unsaved.current = all;
    const timer = setTimeout(flush, saveAfterMs);
    return () => clearTimeout(timer);
  }, [all, flush]);
  useEffect(() => flush, [flush]);

  const edit = (next: readonly Region[]) => {
    unsaved.current = next;
    setAll(next);
  };
  return {
    all,
    selected: all.find((region) => region.key === selectedKey),
    select,
    add: (rectangle, image) => {
      const region = newRegion(rectangle, image, lastLabel);
      edit([...all, region]);
      select(region.key);
    },
    addAll: (regions) => edit([...all, ...regions]),
    change: (key, changes) => {
      if (changes.label !== undefined) setLastLabel(changes.label);
      edit(all.map((region) => (region.key === key ? { ...region, ...changes } : region)));
    },
    remove: (key) => edit(all.filter((region) => region.key !== key)),
    reset: () => {
      unsaved.current = undefined;
      setAll([]);
    },
  };
}
