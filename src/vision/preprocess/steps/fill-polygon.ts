export type Point = readonly [number, number];

/**
 * Sets the cells whose centre lies inside a polygon of any shape: a ray from there crosses the outline an odd number of
 * times. The polygon may reach beyond the map.
 * @param map [height · width], changed in place.
 */
export function fillPolygon(map: Uint8Array, width: number, height: number, corners: readonly Point[]): void {
  const ys = corners.map((corner) => corner[1]);
  const firstRow = Math.max(0, Math.floor(Math.min(...ys)));
  const lastRow = Math.min(height - 1, Math.ceil(Math.max(...ys)));
  for (let row = firstRow; row <= lastRow; row++) {
    const crossings = crossingsAt(corners, row + 0.5);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      // A cell is inside where its centre is: from crossing − ½ up, to crossing − ½ down.
      const from = Math.max(0, Math.ceil(crossings[pair]! - 0.5));
      const to = Math.min(width, Math.ceil(crossings[pair + 1]! - 0.5));
      if (to > from) map.fill(1, row * width + from, row * width + to);
    }
  }
}

/** Where the outline crosses a horizontal line, from left to right. */
function crossingsAt(corners: readonly Point[], y: number): number[] {
  const crossings: number[] = [];
  corners.forEach(([x0, y0], index) => {
    const [x1, y1] = corners[(index + 1) % corners.length]!;
    if (y0 <= y !== y1 <= y) crossings.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
  });
  return crossings.sort((a, b) => a - b);
}
