import { describe, expect, it } from 'vitest';
import { chooseInputLayout } from '../features/input-layout.ts';
import { learnsTurned } from './learns-turned.ts';

const whole = chooseInputLayout({ width: 600, height: 600 }, 256, 'off');
const tiled = chooseInputLayout({ width: 2000, height: 2000 }, 256, 'on');

describe('learnsTurned', () => {
  it('goes by the number of images and their tiles, unless somebody decides', () => {
    expect(learnsTurned({ rotations: 'auto' }, 20, whole)).toBe(true);
    expect(learnsTurned({ rotations: 'auto' }, 21, whole)).toBe(false);
    expect(learnsTurned({ rotations: 'auto' }, 5, tiled)).toBe(false);
    expect(learnsTurned({ rotations: 'true' }, 500, tiled)).toBe(true);
    expect(learnsTurned({ rotations: 'false' }, 1, whole)).toBe(false);
  });
});
