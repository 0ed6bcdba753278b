/**
 * L⁻¹ for the symmetric positive definite matrix A = LLᵀ, so that A⁻¹ = (L⁻¹)ᵀL⁻¹.
 * @param symmetric [n, n]; only the lower triangle is read
 * @returns [n, n], lower triangular
 * @throws RangeError where the matrix is not positive definite
 */
export function inverseCholesky(symmetric: Float64Array, n: number): Float64Array {
  const lower = new Float64Array(n * n);
  for (let row = 0; row < n; row++)
    for (let column = 0; column <= row; column++) {
      let sum = symmetric[row * n + column]!;
      for (let k = 0; k < column; k++) sum -= lower[row * n + k]! * lower[column * n + k]!;
      if (row > column) lower[row * n + column] = sum / lower[column * n + column]!;
      else if (sum > 0) lower[row * n + row] = Math.sqrt(sum);
      else throw new RangeError(`the matrix is not positive definite: pivot ${row} is ${sum}; add to its diagonal`);
    }
  const inverse = new Float64Array(n * n);
  for (let column = 0; column < n; column++) {
    inverse[column * n + column] = 1 / lower[column * n + column]!;
    for (let row = column + 1; row < n; row++) {
      let sum = 0;
      for (let k = column; k < row; k++) sum += lower[row * n + k]! * inverse[k * n + column]!;
      inverse[row * n + column] = -sum / lower[row * n + row]!;
    }
  }
  return inverse;
}
