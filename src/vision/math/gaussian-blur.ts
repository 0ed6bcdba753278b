import type { ScoreMap } from '../types.ts';

/** Weights from -3σ to 3σ; their sum is 1. */
export function gaussianKernel(sigma: number): Float64Array {
  const radius = Math.ceil(3 * sigma);
  const kernel = Float64Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma ** 2)),
  );
  const sum = kernel.reduce((total, weight) => total + weight, 0);
  return kernel.map((weight) => weight / sum);
}

/** Index mirrored at both ends, edge cells twice: … 1 0 | 0 1 2 … */
function mirrored(index: number, size: number): number {
  const period = 2 * size;
  const wrapped = ((index % period) + period) % period;
  return wrapped < size ? wrapped : period - 1 - wrapped;
}

function blurLines(source: Float32Array, lines: number, length: number, kernel: Float64Array): Float32Array {
  // The result is transposed, so that the same pass serves for rows and then for columns.
  const result = new Float32Array(source.length);
  const radius = (kernel.length - 1) / 2;
  const places = Int32Array.from({ length: length + 2 * radius }, (_, at) => mirrored(at - radius, length));
  for (let line = 0; line < lines; line++) {
    const start = line * length;
    for (let i = 0; i < length; i++) {
      let sum = 0;
      for (let k = 0; k < kernel.length; k++) sum += kernel[k]! * source[start + places[i + k]!]!;
      result[i * lines + line] = sum;
    }
  }
  return result;
}

/** Gaussian blur with standard deviation `sigma` in cells, mirrored borders; a constant map stays as it is. */
export function gaussianBlur(map: ScoreMap, sigma: number): ScoreMap {
  if (sigma <= 0) return map;
  const kernel = gaussianKernel(sigma);
  const acrossRows = blurLines(map.data, map.rows, map.columns, kernel);
  return { rows: map.rows, columns: map.columns, data: blurLines(acrossRows, map.columns, map.rows, kernel) };
}
