import { expect, it } from 'vitest';
import { foldName, gramsOf, toPattern } from './name-grams.ts';

it('folds A to Z and nothing else, and composes letters', () => {
  expect(foldName('Lot ÄA\u0308ä')).toEqual(['l', 'o', 't', ' ', 'Ä', 'Ä', 'ä']);
});

it('takes every four letters of a short name, and eight spread over a long one', () => {
  expect(gramsOf(foldName('LOT-42'))).toEqual(['lot-', 'ot-4', 't-42']);
  expect(gramsOf(foldName('検査部品'))).toEqual(['検査部品']);
  expect(gramsOf(foldName('aaaaaaaa'))).toEqual(['aaaa']);
  const letters = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const grams = gramsOf(letters);
  expect(grams).toHaveLength(8);
  for (const gram of grams) expect(letters.join('')).toContain(gram);
});

it('makes a pattern in which nothing of the name is one', () => {
  expect(toPattern('50%_\\A')).toBe('%50\\%\\_\\\\a%');
});
