import type { BackboneDescription, OwnedImage, ReadonlyBytes, RgbImage } from '../types.ts';

/** The bytes of a rectangle of whole pixels inside [rows · columns · channels]. [height · width · channels] */
export function cropBytes(
  data: ReadonlyBytes,
  columns: number,
  channels: number,
  { left, top, width, height }: Readonly<Record<'left' | 'top' | 'width' | 'height', number>>,
): Uint8Array {
  const out = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row++) {
    const from = ((top + row) * columns + left) * channels;
    out.set(data.subarray(from, from + width * channels), row * width * channels);
  }
  return out;
}

/** The part of the image from (left, top), which must lie inside it. */
export function cropImage(image: RgbImage, left: number, top: number, width: number, height: number): RgbImage {
  if (left === 0 && top === 0 && width === image.width && height === image.height) return image;
  return { width, height, data: cropBytes(image.data, image.width, 3, { left, top, width, height }) };
}

/** The image turned clockwise by quarter turns, and mirrored left to right before that where asked. */
export function turnImage(image: RgbImage, quarterTurns: 0 | 1 | 2 | 3, mirrored: boolean): OwnedImage {
  const { width, height, data } = image;
  const sideways = quarterTurns % 2 === 1;
  const [newWidth, newHeight] = sideways ? [height, width] : [width, height];
  const turned = new Uint8Array(data.length);
  const last = width * height - 1;
  // Where the first pixel comes to lie, and how far from it the next one to the right and the next one below.
  const places = [
    [0, 1, width],
    [height - 1, height, -1],
    [last, -1, -width],
    [last - height + 1, -height, 1],
  ] as const;
  const [start, across, down] = places[quarterTurns];
  const [first, step] = mirrored ? [start + (width - 1) * across, -across] : [start, across];
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0, to = 3 * (first + y * down); x < width; x++, from += 3, to += 3 * step) {
      turned[to] = data[from]!;
      turned[to + 1] = data[from + 1]!;
      turned[to + 2] = data[from + 2]!;
    }
  return { width: newWidth, height: newHeight, data: turned };
}

/** (value / 255 − mean) / std of each channel. [3, height, width] @param spare is filled where it has the size: faster */
export function imagePlanes(
  image: RgbImage,
  { mean, std }: Pick<BackboneDescription, 'mean' | 'std'>,
  spare?: Float32Array,
): Float32Array {
  const pixels = image.width * image.height;
  const planes = spare?.length === 3 * pixels ? spare : new Float32Array(3 * pixels);
  const { data } = image;
  const [red, green, blue] = std.map((each) => 1 / (255 * each)) as [number, number, number];
  const [noRed, noGreen, noBlue] = mean.map((each, channel) => -each / std[channel]!) as [number, number, number];
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += 3) {
    planes[pixel] = data[at]! * red + noRed;
    planes[pixel + pixels] = data[at + 1]! * green + noGreen;
    planes[pixel + 2 * pixels] = data[at + 2]! * blue + noBlue;
  }
  return planes;
}

/** Red, green, blue and 255 of every pixel. [height, width, 4] @param spare is filled where it has the size: faster */
export function opaquePixels({ width, height, data }: RgbImage, spare?: Uint8Array): Uint8Array {
  const size = 4 * width * height;
  const pixels = spare?.length === size ? spare : new Uint8Array(size);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    pixels[to] = data[from]!;
    pixels[to + 1] = data[from + 1]!;
    pixels[to + 2] = data[from + 2]!;
    pixels[to + 3] = 255;
  }
  return pixels;
}
