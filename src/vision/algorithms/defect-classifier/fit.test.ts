import { describe, expect, it } from 'vitest';
import { chooseWeight } from './fit.ts';
import { likeliestDefect, weightDistances } from './patch-classifier.ts';

describe('evidence for the classes', () => {
  // Good and NG images with the classes weighted 0, 1/4, 1/2 and 1.
  const good = Array.from({ length: 30 }, (_, index) => index);
  const mixed = Array.from({ length: 12 }, (_, index) => 2 * index + 5.5);
  const raised = mixed.map((score) => score + 20);
  const choose = (...defect: number[][]) => chooseWeight({ good: defect.map(() => good), defect });

  it('is used only where it surely orders held-out images better than distances do', () => {
    expect(choose(mixed, mixed, mixed, raised)).toBe(3);
    expect(choose(mixed, mixed, mixed, mixed)).toBe(0);
    expect(choose(raised, mixed, mixed, mixed)).toBe(0);
    // One or two of twelve that are found better may be chance.
    const [first = 0, second = 0, ...others] = mixed;
    expect(choose(mixed, mixed, [first + 20, second, ...others], mixed)).toBe(0);
    expect(choose(mixed, mixed, [first + 20, second + 20, ...others], mixed)).toBe(0);
    expect(chooseWeight({ good: [[], [], [], []], defect: [mixed, mixed, mixed, raised] })).toBe(0);
  });

  it('counts no more than it has to for what is gained', () => {
    const [first = 0, ...others] = raised;
    const nearlyAll = [first - 20, ...others];
    expect(choose(mixed, mixed, nearlyAll, raised)).toBe(2);
    expect(choose(mixed, nearlyAll, raised, raised)).toBe(1);
  });

  const map = { rows: 1, columns: 4, data: Float32Array.of(1, 8, 10, 2) };
  // Good, first and second class of each of four patches.
  const classes = { rows: 4, columns: 3, data: Float32Array.of(0.5, 0.5, 0, 0, 0.9, 0.1, 0.2, 0, 0.8, 0, 0, 1) };

  it('raises known defects and lowers what looks good, by half at most', () => {
    expect(weightDistances(map, classes, 0)).toBe(map);
    const { data } = weightDistances(map, classes, 1);
    [1, 12, 13, 3].forEach((value, cell) => {
      expect(data[cell]).toBeCloseTo(value, 5);
    });
  });

  it('names the class by the most anomalous cells, not by the others', () => {
    expect(likeliestDefect(map, classes)).toBe(2);
    expect(likeliestDefect({ ...map, data: Float32Array.of(1, 10, 2, 2) }, classes)).toBe(1);
  });
});
