import { median, quantile } from '../math/quantile.ts';
import type { RgbImage } from '../types.ts';

/** How bright images are made for the network. Brightness is the mean of all pixels and channels, 0 to 255. */
export interface Exposure {
  /** Brightness that an image gets. */
  readonly target: number;
  /** What every image is taken for; absent: each image is measured. */
  readonly brightness?: number;
}

/** Brightness of usual photographs, and that of a dark product, in which the network sees little. */
const [USUAL, DARK] = [110, 48];
/** From so many good images on, and from this ratio of the brightest tenth to the darkest, the light varies. */
const [FEWEST, VARIED] = [8, 1.25];
/** No image becomes brighter or darker by more than this factor, so that one without light stays dark. */
const MOST_GAIN = 8;
/** Above this level, brightened pixels approach white instead of reaching it: bright places keep their structure. */
const KNEE = 160;
export const WHITE = 255;

export function brightnessOf({ data }: RgbImage): number {
  let sum = 0;
  for (let at = 0; at < data.length; at++) sum += data[at]!;
  return sum / Math.max(1, data.length);
}

/**
 * The exposure for a product. Dark products become as bright as usual photographs. Where the light varies between good
 * images, each image gets the brightness that is usual for the product. Otherwise all images keep what they differ in;
 * a few images are too few to say that the light is steady, and a single one says nothing of it.
 * @param brightness of good images @returns undefined where images stay as they are
 */
export function chooseExposure(brightness: readonly number[]): Exposure | undefined {
  if (brightness.length < 2) return undefined;
  const usual = median(brightness);
  const isDark = usual < DARK;
  const target = isDark ? USUAL : usual;
  if (brightness.length < FEWEST) return isDark ? { target } : undefined;
  if (quantile(brightness, 0.9) > VARIED * quantile(brightness, 0.1)) return { target };
  return isDark ? { target, brightness: usual } : undefined;
}

/** The image in this exposure. */
export function exposeImage(image: RgbImage, { target, brightness = brightnessOf(image) }: Exposure): RgbImage {
  const gain = Math.min(MOST_GAIN, Math.max(1 / MOST_GAIN, target / brightness));
  const room = WHITE - KNEE;
  const levels = Uint8Array.from({ length: WHITE + 1 }, (_, level) => {
    const gained = level * gain;
    const over = gained - KNEE;
    return Math.round(gain <= 1 || over <= 0 ? gained : KNEE + (room * over) / (room + over));
  });
  const { data } = image;
  const exposed = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at++) exposed[at] = levels[data[at]!]!;
  return { ...image, data: exposed };
}
