/** Scores of the places of an image, coarser than it; 255 is a score of 1. `data` is [height · width]. */
export interface AnomalyMap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The score at a place of the map, bilinear between the middles of its cells. */
function scoreAt({ width, height, data }: AnomalyMap, x: number, y: number): number {
  const column = Math.min(Math.max(x - 0.5, 0), width - 1);
  const row = Math.min(Math.max(y - 0.5, 0), height - 1);
  const [left, above] = [Math.floor(column), Math.floor(row)];
  const [right, below] = [Math.min(left + 1, width - 1), Math.min(above + 1, height - 1)];
  const [dx, dy] = [column - left, row - above];
  const at = (atRow: number, atColumn: number) => data[atRow * width + atColumn] ?? 0;
  const upper = at(above, left) * (1 - dx) + at(above, right) * dx;
  const lower = at(below, left) * (1 - dx) + at(below, right) * dx;
  return (upper * (1 - dy) + lower * dy) / 255;
}

/** So far below the limit the colour ends. */
const fade = 0.12;
/** So far above the limit the colour is full. */
const rise = 0.3;

/** Amber that fades below the limit, red above it. @returns red, green, blue, opacity, each up to 255 */
export function colourOf(score: number, limit: number): readonly [number, number, number, number] {
  const above = Math.min(1, Math.max(0, (score - limit) / rise));
  if (score >= limit) return [240 - 30 * above, 90 - 70 * above, 25 + 20 * above, 150 + 65 * above];
  return [255, 190, 40, 120 * Math.max(0, 1 - (limit - score) / fade)];
}

/** Pixels for each cell of the map. */
const fineness = 4;

/** The colours of the map, as a picture with opacity. */
export function colourMap(map: AnomalyMap, limit: number) {
  const [width, height] = [map.width * fineness, map.height * fineness];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const score = scoreAt(map, (x + 0.5) / fineness, (y + 0.5) / fineness);
      if (score > limit - fade) data.set(colourOf(score, limit), at);
    }
  }
  return { width, height, data };
}

/** The line along which the score is the limit, as an SVG path in cells of the map. */
export function contourOf({ width, height, data }: AnomalyMap, limit: number): string {
  const level = limit * 255;
  // Outside of the map lies nothing, so that each line is closed.
  const at = (row: number, column: number) =>
    row < 0 || column < 0 || row >= height || column >= width ? 0 : (data[row * width + column] ?? 0);
  const parts: string[] = [];
  for (let row = -1; row < height; row++) {
    for (let column = -1; column < width; column++) {
      const corners = [at(row, column), at(row, column + 1), at(row + 1, column + 1), at(row + 1, column)];
      const [a = 0, b = 0, c = 0, d = 0] = corners;
      const inside = corners.filter((score) => score >= level).length;
      if (inside === 0 || inside === 4) continue;
      const share = (from: number, to: number) => (level - from) / (to - from);
      const crossings: string[] = [];
      const cross = (one: number, other: number, x: number, y: number) => {
        if (one >= level !== other >= level)
          crossings.push(`${(column + 0.5 + x).toFixed(2)} ${(row + 0.5 + y).toFixed(2)}`);
      };
      cross(a, b, share(a, b), 0);
      cross(b, c, 1, share(b, c));
      cross(d, c, share(d, c), 1);
      cross(a, d, 0, share(a, d));
      for (let index = 0; index + 1 < crossings.length; index += 2)
        parts.push(`M${crossings[index]}L${crossings[index + 1]}`);
    }
  }
  return parts.join('');
}
