import type { DueItem, Step } from './due-items.store.ts';
import type { RemovedPartView } from './retention.schemas.ts';

export interface RemovedSums {
  items: number;
  images: number;
  records: number;
  bytes: number;
}

/** Adds what goes in one step to what went before, by reason and verdict. */
export function addRemoved(
  parts: readonly RemovedPartView[],
  reason: Step['reason'],
  due: readonly DueItem[],
): RemovedPartView[] {
  const sums = new Map(parts.map((part) => [`${part.reason} ${part.verdict}`, { ...part }]));
  for (const { verdict, images, bytes } of due) {
    const key = `${reason} ${verdict}`;
    const part = sums.get(key) ?? { reason, verdict, items: 0, images: 0, records: 0, bytes: 0 };
    if (reason === 'records') part.records++;
    else part.items++;
    part.images += images;
    part.bytes += bytes;
    sums.set(key, part);
  }
  return [...sums.values()];
}

export function sumRemoved(parts: readonly RemovedPartView[]): RemovedSums {
  const sum = (column: keyof RemovedSums): number => parts.reduce((total, part) => total + part[column], 0);
  return { items: sum('items'), images: sum('images'), records: sum('records'), bytes: sum('bytes') };
}
