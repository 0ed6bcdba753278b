import { compileSteps } from '../../src/vision/preprocess/compile-steps.ts';
import type { OwnedImage, RgbImage } from '../../src/vision/types.ts';

/** The pixels of an image after one step. */
export async function runStep(
  image: RgbImage,
  name: string,
  config: Record<string, unknown> = {},
): Promise<Uint8Array> {
  const preprocess = await compileSteps([{ name, config }], new Map());
  return new Uint8Array((await preprocess(image)).image.data);
}

/** An image from a function that gives a pixel's three levels. */
export function drawPixels(width: number, height: number, colour: (x: number, y: number) => number[]): OwnedImage {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return Math.round(colour(pixel % width, Math.floor(pixel / width))[at % 3] ?? 0);
  });
  return { width, height, data };
}
