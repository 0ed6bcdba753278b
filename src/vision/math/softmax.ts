/** Turns the first `count` values of every row of `width` values into probabilities, in place. */
export function softmaxRows(data: Float32Array, width: number, count = width): void {
  for (let row = 0; row < data.length; row += width) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < count; k++) highest = Math.max(highest, data[row + k]!);
    let sum = 0;
    for (let k = 0; k < count; k++) sum += data[row + k] = Math.exp(data[row + k]! - highest);
    for (let k = 0; k < count; k++) data[row + k]! /= sum;
  }
}
