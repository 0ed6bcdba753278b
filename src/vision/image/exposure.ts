import { median, quantile } from '../math/quantile.ts';
import type { RgbImage } from '../types.ts';

/** How bright images are made for the network. Brightness is the mean of all pixels and channels, 0 to 255. */
export interface Exposure {
  /** Brightness that an image gets. */
  readonly target: number;
  /** An image is taken to be no darker and no brighter than this, so that what is odd stays odd. */
  readonly darkest: number;
  readonly brightest: number;
}

/** Brightness of usual photographs, and that of a dark product, by which the network sees little. */
const [USUAL, DARK] = [110, 64];
/** From so many good images on, and from this ratio of the brightest tenth to the darkest, the light varies. */
const [FEWEST, VARIED] = [8, 1.25];
/** Where the light varies, other images may be darker and brighter by this factor than those that were measured. */
const BEYOND = 1.25;
/** Above this level, brightened pixels approach white instead of reaching it: bright places keep their structure. */
const KNEE = 160;
const WHITE = 255;

export function brightnessOf({ data }: RgbImage): number {
  let sum = 0;
  for (let at = 0; at < data.length; at++) sum += data[at]!;
  return sum / Math.max(1, data.length);
}

/**
 * The exposure for a product. Dark products become as bright as usual photographs, all images by the same factor. Where
 * the light varies between good images, each image gets the brightness that is usual for the product.
 * @param brightness of good images @returns undefined where images stay as they are
 */
export function chooseExposure(brightness: readonly number[]): Exposure | undefined {
  if (brightness.length === 0) return undefined;
  const usual = Math.max(1, median(brightness));
  const target = usual < DARK ? USUAL : usual;
  const [low, high] = [quantile(brightness, 0.1), quantile(brightness, 0.9)];
  if (brightness.length >= FEWEST && high > VARIED * low) {
    const [darkest, brightest] = [Math.min(...brightness) / BEYOND, Math.max(...brightness) * BEYOND];
    return { target, darkest: Math.max(1, darkest), brightest };
  }
  return target === usual ? undefined : { target, darkest: usual, brightest: usual };
}

/** The image in this exposure; the image itself where nothing changes. */
export function exposeImage(image: RgbImage, { target, darkest, brightest }: Exposure): RgbImage {
  const isFixed = darkest === brightest;
  const brightness = isFixed ? darkest : Math.min(brightest, Math.max(darkest, brightnessOf(image)));
  const gain = target / brightness;
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
