import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Annotation, Item, NewAnnotation } from '../../../../src/client/shapes.ts';
import { beforeUndo } from '../../components/undo.ts';
import { createStore, useStore } from '../../store.ts';
import type { Rectangle } from '../viewer/geometry.ts';

/** A region that the user drew. */
export interface Region extends Rectangle {
  readonly key: string;
  readonly label: number | null;
  readonly notes: string | null;
  /** Name of its image. */
  readonly image: string;
}

let lastKey = 0;

function cornersOf({ x_min, x_max, y_min, y_max }: Rectangle): Rectangle {
  return { x_min, x_max, y_min, y_max };
}

export function fromAnnotations(annotations: readonly Annotation[], item: Item): Region[] {
  const first = item.images[0]?.name ?? '';
  return annotations.map((annotation) => ({
    key: `region-${++lastKey}`,
    image: annotation.image ?? first,
    ...cornersOf(annotation),
    label: annotation.label ?? null,
    notes: annotation.notes ?? null,
  }));
}

export function toAnnotations(regions: readonly Region[]): NewAnnotation[] {
  return regions.map(({ key: _key, ...annotation }) => annotation);
}

const sides = ['x_min', 'y_min', 'x_max', 'y_max'] as const;

/** Whether the list has a region at this place. The server may round coordinates. */
const has = (regions: readonly Region[], { image, ...place }: Region): boolean =>
  regions.some((one) => one.image === image && sides.every((side) => Math.abs(one[side] - place[side]) < 0.01));

const saveAfterMs = 500;

/** The item as it is after its verdict was taken back. */
export const restoredItem = createStore<Item | undefined>(undefined);

export type Regions = ReturnType<typeof useRegions>;

/** The user's regions of one item. They are saved a moment after the last change, and when the item is left. */
export function useRegions(item: Item, save: (item: Item, regions: readonly Region[]) => void) {
  const [all, setAll] = useState<readonly Region[]>(() =>
    fromAnnotations(item.user_assessment?.annotations ?? [], item),
  );
  const [selectedKey, select] = useState<string>();
  const [lastLabel, setLastLabel] = useState<number | null>(null);
  const unsaved = useRef<readonly Region[]>(undefined);
  const flush = useEffectEvent(() => {
    if (unsaved.current) save(item, unsaved.current);
    unsaved.current = undefined;
  });
  useEffect(() => {
    if (!unsaved.current) return;
    unsaved.current = all;
    const timer = setTimeout(() => flush(), saveAfterMs);
    return () => clearTimeout(timer);
  }, [all]);
  useEffect(() => () => flush(), []);
  useEffect(() => beforeUndo(() => flush()), []);
  const restored = useStore(restoredItem);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each restored verdict
  useEffect(() => {
    if (restored?.item_id === item.item_id) setAll(fromAnnotations(restored.user_assessment?.annotations ?? [], item));
    // Another visit to the item starts with what the server knows.
    return () => restoredItem.set(undefined);
  }, [restored]);

  const edit = (next: readonly Region[]) => {
    unsaved.current = next;
    setAll(next);
  };
  return {
    all,
    selected: all.find((region) => region.key === selectedKey),
    select,
    add: (rectangle: Rectangle, image: string) => {
      const region = { ...cornersOf(rectangle), key: `region-${++lastKey}`, image, label: lastLabel, notes: null };
      edit([...all, region]);
      select(region.key);
    },
    /** The next drawn region gets this label. */
    labelNext: setLastLabel,
    /** Adds those that are not in the list yet. */
    addAll: (regions: readonly Region[]) => edit([...all, ...regions.filter((region) => !has(all, region))]),
    hasAll: (regions: readonly Region[]) => regions.every((region) => has(all, region)),
    change: (key: string, changes: Partial<Region>) => {
      if (changes.label !== undefined) setLastLabel(changes.label);
      edit(all.map((region) => (region.key === key ? { ...region, ...changes } : region)));
    },
    remove: (key: string) => edit(all.filter((region) => region.key !== key)),
    /** A verdict is sent with these regions: there is nothing left to save. */
    settle: (regions: readonly Region[]) => {
      unsaved.current = undefined;
      setAll(regions);
    },
  };
}
