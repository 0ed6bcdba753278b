import { expect, it } from 'vitest';
import { scoreText } from './score-text.ts';

it('takes as many digits as the verdict needs', () => {
  expect(scoreText(0.41234, 0.5)).toBe('0.41');
  expect(scoreText(0.4996, 0.5)).toBe('0.4996');
  expect(scoreText(0.5004, 0.5)).toBe('0.50');
  expect(scoreText(0.612345, 0.612346)).toBe('0.612345');
  expect(scoreText(0.612345, 0.612345, 3)).toBe('0.61235');
  expect(scoreText(0.7, 1 / 3)).toBe('0.70');
  expect(scoreText(0.4996, undefined)).toBe('0.50');
});
