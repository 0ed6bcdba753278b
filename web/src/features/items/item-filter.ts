import type { ItemFilter } from '../../../../src/client/shapes.ts';

/** The filters in the address of the screen. */
export const filterKeys = [
  'model_id',
  'result',
  'user_result',
  'disagrees',
  'status',
  'name',
  'from',
  'until',
] as const;
export type FilterKey = (typeof filterKeys)[number];

/** The filter in the address. Dates are days in the time zone of the browser. */
export function readFilter(query: URLSearchParams): ItemFilter {
  const filter: Record<string, string | boolean> = {};
  for (const key of filterKeys) {
    const value = query.get(key);
    if (!value) continue;
    const time = key === 'from' ? 'T00:00:00' : key === 'until' ? 'T23:59:59.999' : undefined;
    const date = time === undefined ? undefined : new Date(value + time);
    if (date && Number.isNaN(date.getTime())) continue;
    filter[key] = key === 'disagrees' ? value === 'true' : (date?.toISOString() ?? value);
  }
  return { item_type: query.get('type') === 'prediction' ? 'prediction' : 'training', ...filter };
}

export function isNarrowed(query: URLSearchParams): boolean {
  return filterKeys.some((key) => query.has(key));
}
