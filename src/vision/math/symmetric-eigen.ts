/** Zeroes element (p, q) of the symmetric matrix by a rotation, and turns the vectors' rows with it. */
function rotate(matrix: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const off = matrix[p * n + q]!;
  const theta = (matrix[q * n + q]! - matrix[p * n + p]!) / (2 * off);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const mp = matrix[p * n + k]!;
    const mq = matrix[q * n + k]!;
    matrix[p * n + k] = c * mp - s * mq;
    matrix[q * n + k] = s * mp + c * mq;
    const vp = vectors[p * n + k]!;
    const vq = vectors[q * n + k]!;
    vectors[p * n + k] = c * vp - s * vq;
    vectors[q * n + k] = s * vp + c * vq;
  }
  for (let k = 0; k < n; k++) {
    const mp = matrix[k * n + p]!;
    const mq = matrix[k * n + q]!;
    matrix[k * n + p] = c * mp - s * mq;
    matrix[k * n + q] = s * mp + c * mq;
  }
}

function offDiagonal(matrix: Float64Array, n: number): number {
  let sum = 0;
  for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) sum += matrix[p * n + q]! ** 2;
  return sum;
}

/**
 * All eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations: accurate to the last digits,
 * meant for up to about 250 rows (it takes about 30 · n³ operations).
 * @param symmetric [n, n], left as it is
 * @returns `values` [n], descending, and in their order `vectors` [n, n], one eigenvector of length 1 a row
 */
export function symmetricEigen(symmetric: Float64Array, n: number) {
  const matrix = Float64Array.from(symmetric);
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  let scale = 0;
  for (const value of matrix) scale += value * value;
  const MAX_SWEEPS = 50;
  for (let sweep = 0; sweep < MAX_SWEEPS && offDiagonal(matrix, n) > 1e-24 * scale; sweep++)
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        const small = 1e-18 * Math.abs(matrix[p * n + p]! * matrix[q * n + q]!);
        if (matrix[p * n + q]! ** 2 > small * 1e-12) rotate(matrix, vectors, n, p, q);
      }
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => matrix[b * n + b]! - matrix[a * n + a]!);
  const sorted = new Float64Array(n * n);
  order.forEach((from, to) => {
    sorted.set(vectors.subarray(from * n, from * n + n), to * n);
  });
  return { values: Float64Array.from(order, (i) => matrix[i * n + i]!), vectors: sorted };
}
