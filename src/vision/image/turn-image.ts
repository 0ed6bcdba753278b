import type { OwnedImage, RgbImage } from '../types.ts';

/** Where the first pixel of an image comes to lie, and how far from it the next one to the right and the next one below. */
function placesOf({ width, height }: RgbImage, quarterTurns: 0 | 1 | 2 | 3) {
  const last = width * height - 1;
  return (
    [
      [0, 1, width],
      [height - 1, height, -1],
      [last, -1, -width],
      [last - height + 1, -height, 1],
    ] as const
  )[quarterTurns];
}

/** The image turned clockwise by quarter turns, and mirrored left to right before that where asked. */
export function turnImage(image: RgbImage, quarterTurns: 0 | 1 | 2 | 3, mirrored: boolean): OwnedImage {
  const { width, height, data } = image;
  const sideways = quarterTurns % 2 === 1;
  const [newWidth, newHeight] = sideways ? [height, width] : [width, height];
  const turned = new Uint8Array(data.length);
  const [start, across, down] = placesOf(image, quarterTurns);
  const [first, step] = mirrored ? [start + (width - 1) * across, -across] : [start, across];
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0, to = 3 * (first + y * down); x < width; x++, from += 3, to += 3 * step) {
      turned[to] = data[from]!;
      turned[to + 1] = data[from + 1]!;
      turned[to + 2] = data[from + 2]!;
    }
  return { width: newWidth, height: newHeight, data: turned };
}
