import type { ItemsQuery } from './items.schemas.ts';

/** The filters that the kept counts can answer. */
export type FacetFilter = Pick<ItemsQuery, 'item_type' | 'result' | 'user_result' | 'disagrees'>;

/** What an item, or one model's assessment of it, is in the lists. */
export interface Facet {
  readonly training: boolean;
  readonly person: 'none' | 'OK' | 'NG';
  /** Verdicts of the models, or of the one model. */
  readonly verdicts: { readonly OK: boolean; readonly NG: boolean };
}

const people = ['none', 'OK', 'NG'] as const;

/** The number that the database keeps, see migration 0005. 0 to 23. */
export function decodeFacet(facet: number): Facet {
  const verdicts = Math.floor(facet / 6);
  return {
    training: facet % 2 === 1,
    person: people[Math.floor(facet / 2) % 3] ?? 'none',
    verdicts: { OK: (verdicts & 1) !== 0, NG: (verdicts & 2) !== 0 },
  };
}

/** The facets that a list shows. */
export function facetsOf(filter: FacetFilter): number[] {
  return Array.from({ length: 24 }, (_, facet) => facet).filter((facet) => matches(decodeFacet(facet), filter));
}

function matches({ training, person, verdicts }: Facet, filter: FacetFilter): boolean {
  if (training !== (filter.item_type === 'training')) return false;
  if (filter.user_result !== undefined && person !== filter.user_result) return false;
  if (filter.result === undefined && filter.disagrees === undefined) return true;
  // One verdict must meet both conditions.
  return (['OK', 'NG'] as const).some(
    (verdict) =>
      verdicts[verdict] &&
      (filter.result === undefined || filter.result === verdict) &&
      (filter.disagrees === undefined || (person !== 'none' && (person !== verdict) === filter.disagrees)),
  );
}
