import { describe, expect, it } from 'vitest';
import { moveStep, newStep, replaceCorner, toDraft, toPixels, toPreprocessing, toUnit } from './draft-steps.ts';

const image = { width: 200, height: 50 };

describe('corners', () => {
  it('go to the unit of the step and back, and never leave the image', () => {
    expect(toUnit({ x: 50, y: 10 }, 'percent', image)).toEqual([25, 20]);
    expect(toPixels([25, 20], 'percent', image)).toEqual({ x: 50, y: 10 });
    expect(toUnit({ x: 50.4, y: 10.6 }, 'pixel', image)).toEqual([50, 11]);
    expect(toUnit({ x: -5, y: 999 }, 'percent', image)).toEqual([0, 100]);
    const triangle = [
      [0, 0],
      [9, 0],
      [0, 9],
    ] as const;
    expect(replaceCorner([triangle, triangle], 1, 2, [5, 5])).toEqual([
      triangle,
      [
        [0, 0],
        [9, 0],
        [5, 5],
      ],
    ]);
  });
});

describe('steps while they are edited', () => {
  it('come and go as the API has them', () => {
    const steps = [
      { name: 'crop', active: true, config: '{"x":1}' },
      { name: 'gamma', active: false, config: '{}' },
    ];
    expect(toPreprocessing(toDraft(steps))).toEqual(steps);
    expect(toDraft([{ name: 'crop', config: 'not json' }])[0]).toMatchObject({ active: true, config: {} });
  });

  it('are moved one past the other, never past the ends', () => {
    const steps = toDraft(['a', 'b', 'c'].map((name) => ({ name })));
    const order = (from: number, to: number) =>
      moveStep(steps, from, to)
        .map(({ name }) => name)
        .join('');
    expect([order(0, 1), order(2, 0), order(1, 9), order(1, -4)]).toEqual(['bac', 'cab', 'acb', 'bac']);
  });

  it('start from the example, with the item shown as the reference', () => {
    const info = { name: 'align', title: '', help: '', schema: {}, example: '{"reference":"x","max_shift":5}' };
    expect(newStep(info, 'item-1').config).toEqual({ reference: 'item-1', max_shift: 5 });
    expect(newStep(info, undefined).config).toEqual({ reference: 'x', max_shift: 5 });
  });
});
