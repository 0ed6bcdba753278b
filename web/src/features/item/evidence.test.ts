import { expect, it } from 'vitest';
import type { ModelScores, ScoredItem, Verdict } from '../../../../src/client/shapes.ts';
import { evidenceOf } from './evidence.ts';

const item = (index: number, score: number, user_result: Verdict | null): ScoredItem => ({
  ...{ item_id: `item-${index}`, name: `${index}`, score, user_result, thumbnail_url: null },
  result: score >= 0.5 ? 'NG' : 'OK',
});
const scores = (items: ScoredItem[]): ModelScores => ({
  threshold: 0.5,
  held_out: { good: [0.1, 0.2, 0.3, 0.4], ng: [0.9] },
  items,
  total: items.length,
});

it('ranks a score among good images, held out or judged, and not by itself', () => {
  const known = scores([item(0, 0.25, 'OK'), item(1, 0.35, 'OK'), item(2, 0.1, 'NG'), item(3, 0.2, null)]);
  expect(evidenceOf(known, 0.35, 'item-1')).toMatchObject({ good: 5, below: 4, similar: undefined });
  expect(evidenceOf(scores([]), 0.05, 'other')).toMatchObject({ good: 4, below: 0, band: [0.1, 0.4] });
});

it('counts the judged items with a score like this, where there are enough', () => {
  const near = Array.from({ length: 12 }, (_, index) => item(index, 0.44 + index / 1000, index < 7 ? 'NG' : 'OK'));
  const far = Array.from({ length: 20 }, (_, index) => item(100 + index, 0.9, 'NG'));
  expect(evidenceOf(scores([...far, ...near]), 0.45, 'other').similar).toEqual({ items: 12, ng: 7 });
  expect(evidenceOf(scores([...far, ...near.slice(0, 9)]), 0.45, 'other').similar).toBeUndefined();
});

it('does not count the others of a product as alike', () => {
  const good = Array.from({ length: 12 }, (_, index) => item(index, 0.4 + index / 400, 'OK'));
  const bad = Array.from({ length: 11 }, (_, index) => item(100 + index, 0.49 + index / 400, 'NG'));
  expect(evidenceOf(scores([...good, ...bad]), 0.41, 'other').similar).toEqual({ items: 12, ng: 0 });
  expect(evidenceOf(scores([...good, ...bad]), 0.505, 'other').similar).toEqual({ items: 11, ng: 11 });
  expect(evidenceOf(scores([...good, ...bad]), 0.46, 'other').similar).toBeUndefined();
});
