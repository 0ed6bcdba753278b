import type { LabelledRegion } from '../../types.ts';

/** Where a region lies after `turnImage` of the same image of `width` × `height` pixels. */
export function turnRegion(
  { xMin, yMin, xMax, yMax, label }: LabelledRegion,
  quarterTurns: 0 | 1 | 2 | 3,
  mirrored: boolean,
  { width, height }: { readonly width: number; readonly height: number },
): LabelledRegion {
  const turn = (x: number, y: number): readonly [number, number] => {
    const column = mirrored ? width - x : x;
    const places = [
      [column, y],
      [height - y, column],
      [width - column, height - y],
      [y, width - column],
    ] as const;
    return places[quarterTurns];
  };
  const [[ax, ay], [bx, by]] = [turn(xMin, yMin), turn(xMax, yMax)];
  return { xMin: Math.min(ax, bx), yMin: Math.min(ay, by), xMax: Math.max(ax, bx), yMax: Math.max(ay, by), label };
}
