import type { BackboneDescription, RgbImage } from '../types.ts';

/**
 * Colour planes as networks take them: (value / 255 − mean) / std for each channel. [3, height, width]
 * @param spare is filled where it has the size: a new array's memory costs as much as half of the filling
 */
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
