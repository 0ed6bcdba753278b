import { expect, it } from 'vitest';
import { cloudNoise, hashNoise, valueNoise } from './noise.ts';

it('is a function of place and seed, spread evenly over 0 to 1', () => {
  const counts = new Array<number>(10).fill(0);
  for (let y = 0; y < 100; y++) {
    for (let x = 0; x < 100; x++) {
      expect(hashNoise(x, y, 3)).toBe(hashNoise(x, y, 3));
      counts[Math.floor(hashNoise(x, y, 3) * 10)]! += 1;
    }
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

it('meets the hashed corners and changes slowly between them', () => {
  expect(valueNoise(4, -7, 9)).toBe(hashNoise(4, -7, 9));
  for (let step = 0; step < 100; step++) {
    const x = -3 + step * 0.07;
    expect(Math.abs(valueNoise(x + 0.01, 1.3, 9) - valueNoise(x, 1.3, 9))).toBeLessThan(0.02);
    expect(Math.abs(cloudNoise(x, 1.3, 9))).toBeLessThanOrEqual(1);
  }
});
