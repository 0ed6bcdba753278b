import type { Db } from './database.ts';

export type Verdict = 'OK' | 'NG';

export type ListKind = Readonly<ReturnType<typeof decodeKind>>;

const people = ['none', 'OK', 'NG'] as const;

/**
 * What an item, or one model's assessment of it, is in the lists: `person` is a person's verdict, `verdicts` are those of
 * all models or of the one. The number is 0 or 1 for training, plus 2 × `person`, plus 6 × `verdicts` (bits: 1 OK, 2 NG).
 */
function decodeKind(kind: number) {
  const bits = Math.floor(kind / 6);
  return {
    kind,
    training: kind % 2 === 1,
    person: people[Math.floor(kind / 2) % 3] ?? 'none',
    verdicts: (['OK', 'NG'] as const).filter((_, index) => (bits & (1 << index)) !== 0),
  };
}

/** What rules of retention tell apart: a person's verdict counts, else NG of any model, else OK of any model. */
export type RetainedVerdict = Verdict | 'unjudged';

export function verdictOfKind(kind: number): RetainedVerdict {
  const { person, verdicts } = decodeKind(kind);
  if (person !== 'none') return person;
  return verdicts.includes('NG') ? 'NG' : (verdicts[0] ?? 'unjudged');
}

/** The kinds of items that are not for training and have this verdict. */
export const inspectedKinds = (verdict: RetainedVerdict): number[] =>
  Array.from({ length: 24 }, (_, kind) => kind).filter((kind) => kind % 2 === 0 && verdictOfKind(kind) === verdict);

/** The scope of the counts of a model, for the items of one product. */
export const modelScope = (modelId: string, targetId: number): string => `${modelId}@${targetId}`;

/**
 * How many items each of these models has assessed, by kind. Triggers keep all counts, so that they cost the same for a
 * million items. A page asks for them every few seconds.
 */
export async function readKindCounts(db: Db, scopes: readonly string[]) {
  if (scopes.length === 0) return [];
  const rows = await db
    .selectFrom('counts')
    .select(['scope', 'list_kind', (builder) => builder.fn.sum<number | string>('count').as('count')])
    .where('scope', 'in', [...scopes])
    .groupBy(['scope', 'list_kind'])
    .execute();
  return rows
    .map(({ scope, list_kind, count }) => ({ scope, count: Number(count), ...decodeKind(list_kind) }))
    .filter(({ count }) => count > 0);
}

/** How many items there are of each kind: of one product, or of all. */
export async function readItemCounts(db: Db, targetId?: number) {
  const rows = await db
    .selectFrom('counts')
    .select(['list_kind', (builder) => builder.fn.sum<number | string>('count').as('count')])
    .where('scope', 'like', targetId === undefined ? 'items-%' : `items-${targetId}`)
    .groupBy('list_kind')
    .execute();
  return rows
    .map(({ list_kind, count }) => ({ count: Number(count), ...decodeKind(list_kind) }))
    .filter(({ count }) => count > 0);
}

export const sumCounts = (counts: readonly { count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);
