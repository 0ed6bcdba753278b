import { describe, expect, it } from 'vitest';
import type { Model, ModelScores, ScoredItem, Verdict } from '../../../../src/client/shapes.ts';
import { binEdges, binScores, listCorrections, ratesOf, thresholdEffect } from './score-statistics.ts';

const item = (item_id: string, score: number, user_result: Verdict | null): ScoredItem => ({
  ...{ item_id, score, user_result, name: item_id, thumbnail_url: null },
  result: score >= 0.5 ? 'NG' : 'OK',
});

const scores: ModelScores = {
  threshold: 0.5,
  held_out: { good: [0.2, 0.3, 0.45, 0.6], ng: [] },
  items: [
    item('a', 0.2, 'OK'),
    item('b', 0.55, 'OK'),
    item('c', 0.45, 'NG'),
    item('d', 0.9, 'NG'),
    item('e', 0.52, null),
  ],
  total: 5,
};
const ids = (items: readonly ScoredItem[]): string[] => items.map(({ item_id }) => item_id);

describe('thresholdEffect', () => {
  it('counts escapes and false alarms at the threshold itself, which is NG', () => {
    const effect = thresholdEffect(scores, 0.5);
    expect(effect.computed).toEqual({ found: 1, escapes: 1, passed: 1, falseAlarms: 1 });
    expect(ids(effect.escapes)).toEqual(['c']);
    expect(ids(effect.falseAlarms)).toEqual(['b']);
    expect(effect.changes).toEqual([]);
    expect(thresholdEffect(scores, 0.9).computed).toMatchObject({ found: 1 });
    expect(thresholdEffect(scores, 0.901).computed).toMatchObject({ found: 0 });
  });

  it('names what would change against the saved threshold, reviewed or not', () => {
    expect(ids(thresholdEffect(scores, 0.53).changes)).toEqual(['e']);
    expect(ids(thresholdEffect(scores, 0.4).changes)).toEqual(['c']);
  });

  it('projects from held-out images; a rate of nothing is no rate', () => {
    const { projected } = thresholdEffect(scores, 0.5);
    expect(ratesOf(projected)).toEqual({
      falseAlarmRate: 0.25,
      escapeRate: null,
      precision: null,
      recall: null,
      accuracy: null,
    });
    expect(ratesOf({ found: 0, escapes: 0, passed: 9, falseAlarms: 0 }).accuracy).toBeNull();
    expect(ratesOf({ found: 0, escapes: 0, passed: 0, falseAlarms: 0 }).accuracy).toBeNull();
  });
});

describe('bins', () => {
  it('put each score into the bin that it lies in, 1 into the last', () => {
    expect(binScores([0, 0.1, 0.25, 0.99, 1], [0, 0.25, 0.5, 0.75, 1])).toEqual([2, 1, 0, 2]);
    expect(binScores([0.4, 0.6], [0.4, 0.5, 0.6])).toEqual([1, 1]);
  });

  it('end at the threshold', () => {
    const edges = binEdges(0, 1, 4, 0.6);
    expect(edges).toEqual([0, 0.25, 0.5, 0.6, 0.75, 1]);
    expect(binScores([0.55, 0.6, 0.61], edges)).toEqual([0, 0, 1, 2, 0]);
    expect(binEdges(0, 1, 2, 0.5)).toEqual([0, 0.5, 1]);
    expect(binEdges(0.4, 0.6, 2, 0.9)).toEqual([0.4, 0.5, 0.6]);
  });
});

describe('listCorrections', () => {
  it('names the corrections of the version and of those before it, as far as they are still there', () => {
    const model = (model_id: string, parent_id: string | null, taught_item_ids: string[]) =>
      ({ model_id, parent_id, taught_item_ids }) as Model;
    const [first, second, third] = [model('1', null, []), model('2', '1', ['a']), model('3', '2', ['b', 'c'])] as const;
    expect(listCorrections(first, [first, second, third])).toEqual([]);
    expect(listCorrections(third, [first, second, third])).toEqual(['b', 'c', 'a']);
    expect(listCorrections(third, [third])).toEqual(['b', 'c']);
  });
});
