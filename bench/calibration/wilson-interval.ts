/** 95 % interval of a share (Wilson 1927), for `hits` of `total`. */
export function wilsonInterval(hits: number, total: number): readonly [number, number] {
  const z = 1.959964;
  const share = hits / total;
  const centre = (share + z ** 2 / (2 * total)) / (1 + z ** 2 / total);
  const half = (z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))) / (1 + z ** 2 / total);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
