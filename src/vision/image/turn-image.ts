import type { RgbImage } from '../types.ts';

/** The image turned clockwise by quarter turns, and mirrored left to right before that where asked. */
export function turnImage(image: RgbImage, quarterTurns: 0 | 1 | 2 | 3, mirrored: boolean): RgbImage {
  const { width, height, data } = image;
  const sideways = quarterTurns % 2 === 1;
  const [newWidth, newHeight] = sideways ? [height, width] : [width, height];
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const column = mirrored ? width - 1 - x : x;
      const [toX, toY] = (
        [
          [column, y],
          [height - 1 - y, column],
          [width - 1 - column, height - 1 - y],
          [y, width - 1 - column],
        ] as const
      )[quarterTurns];
      const [from, to] = [(y * width + x) * 3, (toY * newWidth + toX) * 3];
      turned[to] = data[from]!;
      turned[to + 1] = data[from + 1]!;
      turned[to + 2] = data[from + 2]!;
    }
  return { width: newWidth, height: newHeight, data: turned };
}
