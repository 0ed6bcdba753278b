import { expect, it } from 'vitest';
import { createRandom } from '../../math/random.ts';
import { solveSymmetric4 } from './match-landmarks.ts';

it('solves what it was multiplied from', () => {
  const random = createRandom(1);
  for (let round = 0; round < 50; round++) {
    const factor = Float64Array.from({ length: 16 }, () => random.normal());
    const matrix = new Float64Array(16);
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) {
        for (let k = 0; k < 4; k++) matrix[i * 4 + j]! += factor[i * 4 + k]! * factor[j * 4 + k]!;
      }
      matrix[i * 5]! += 0.1;
    }
    const wanted = Float64Array.from({ length: 4 }, () => random.normal());
    const right = wanted.map((_, i) => wanted.reduce((sum, value, j) => sum + matrix[i * 4 + j]! * value, 0));
    const solved = solveSymmetric4(matrix, right);
    wanted.forEach((value, i) => {
      expect(solved?.[i]).toBeCloseTo(value, 6);
    });
  }
});

it('gives nothing where the answer is not unique', () => {
  expect(solveSymmetric4(new Float64Array(16).fill(1), new Float64Array(4))).toBeUndefined();
});
