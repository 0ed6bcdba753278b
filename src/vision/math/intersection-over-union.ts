interface Rectangle {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** Area that two rectangles share, over the area that they cover together; 0 to 1. */
export function intersectionOverUnion(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.xMax, b.xMax) - Math.max(a.xMin, b.xMin);
  const height = Math.min(a.yMax, b.yMax) - Math.max(a.yMin, b.yMin);
  if (width <= 0 || height <= 0) return 0;
  const area = (box: Rectangle): number => (box.xMax - box.xMin) * (box.yMax - box.yMin);
  return (width * height) / (area(a) + area(b) - width * height);
}
