/**
 * Solves a symmetric positive definite system of four unknowns by Cholesky decomposition.
 * @param matrix [4 · 4], only the upper triangle is read.
 * @returns [4]; undefined where the matrix is not positive definite.
 */
export function solveSymmetric4(matrix: Float64Array, right: Float64Array): Float64Array | undefined {
  const lower = new Float64Array(16);
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[j * 4 + i]!;
      for (let k = 0; k < j; k++) sum -= lower[i * 4 + k]! * lower[j * 4 + k]!;
      if (i !== j) lower[i * 4 + j] = sum / lower[j * 4 + j]!;
      else if (sum > 1e-9) lower[i * 4 + i] = Math.sqrt(sum);
      else return undefined;
    }
  }
  const solution = new Float64Array(4);
  for (let i = 0; i < 4; i++) {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= lower[i * 4 + k]! * solution[k]!;
    solution[i] = sum / lower[i * 4 + i]!;
  }
  for (let i = 3; i >= 0; i--) {
    let sum = solution[i]!;
    for (let k = i + 1; k < 4; k++) sum -= lower[k * 4 + i]! * solution[k]!;
    solution[i] = sum / lower[i * 4 + i]!;
  }
  return solution;
}
