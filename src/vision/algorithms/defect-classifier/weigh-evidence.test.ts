import { describe, expect, it } from 'vitest';
import { blendMap, likeliestDefect } from './judge-patches.ts';
import { chooseWeight } from './weigh-evidence.ts';

describe('evidence for the classes', () => {
  it('is used only where it orders held-out images better than distances do', () => {
    const mixed = [1, 3, 5];
    expect(
      chooseWeight({
        good: [mixed, mixed, [1, 2, 3]],
        defect: [
          [4, 6],
          [4, 6],
          [4, 6],
        ],
      }),
    ).toBe(2);
    expect(
      chooseWeight({
        good: [mixed, mixed, mixed],
        defect: [
          [4, 6],
          [4, 6],
          [4, 6],
        ],
      }),
    ).toBe(0);
    expect(chooseWeight({ good: [[1], [2], [9]], defect: [[5], [5], [5]] })).toBe(0);
  });

  const map = { rows: 1, columns: 4, data: Float32Array.of(1, 8, 10, 2) };
  // Good, first and second class of each of four patches.
  const classes = { rows: 4, columns: 3, data: Float32Array.of(0.5, 0.5, 0, 0, 0.9, 0.1, 0.2, 0, 0.8, 0, 0, 1) };

  it('raises known defects and lowers what looks good, by half at most', () => {
    expect(blendMap({ distances: map, classes }, 0)).toBe(map);
    const { data } = blendMap({ distances: map, classes }, 1);
    [1, 12, 13, 3].forEach((value, cell) => {
      expect(data[cell]).toBeCloseTo(value, 5);
    });
  });

  it('names the class by the most anomalous cells, not by the others', () => {
    expect(likeliestDefect(map, classes)).toBe(2);
    expect(likeliestDefect({ ...map, data: Float32Array.of(1, 10, 2, 2) }, classes)).toBe(1);
  });
});
