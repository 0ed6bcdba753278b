import type { Annotation, Item, NewAnnotation } from '../../../../src/client/shapes.ts';
import type { Rectangle } from '../viewer/rectangle.ts';

/** A region that the user drew, as the screen keeps it while it is edited. */
export interface Region extends Rectangle {
  readonly key: string;
  readonly label: number | null;
  readonly notes: string | null;
  /** Name of the image that it lies on. */
  readonly image: string;
}

let lastKey = 0;

export function newRegion(rectangle: Rectangle, image: string, label: number | null = null): Region {
  const { x_min, x_max, y_min, y_max } = rectangle;
  return { x_min, x_max, y_min, y_max, key: `region-${++lastKey}`, label, notes: null, image };
}

/** What the user drew before. */
export function readRegions(item: Item): Region[] {
  return fromAnnotations(item.user_assessment?.annotations ?? [], item);
}

export function fromAnnotations(annotations: readonly Annotation[], item: Item): Region[] {
  const first = item.images[0]?.name ?? '';
  return annotations.map((annotation) => ({
    key: `region-${++lastKey}`,
    image: annotation.image ?? first,
    label: annotation.label ?? null,
    x_min: annotation.x_min,
    x_max: annotation.x_max,
    y_min: annotation.y_min,
    y_max: annotation.y_max,
    notes: annotation.notes ?? null,
  }));
}

export function toAnnotations(regions: readonly Region[]): NewAnnotation[] {
  return regions.map(({ x_min, x_max, y_min, y_max, label, notes, image }) => ({
    x_min,
    x_max,
    y_min,
    y_max,
    label,
    notes,
    image,
  }));
}
