import { composeAffine, IDENTITY } from '../math/affine.ts';
import type { Message } from '../message.ts';
import type { Affine, Picture, PreparedImage, ReadonlyBytes, RgbImage } from '../types.ts';

/** An image as uploaded, before any step. */
export function prepareImage<Image extends Picture>(image: Image): PreparedImage<Image> {
  return { image, toOriginal: IDENTITY, originalWidth: image.width, originalHeight: image.height };
}

/** The same geometry with other pixels. */
export function withPixels(prepared: PreparedImage, data: ReadonlyBytes): PreparedImage {
  return { ...prepared, image: { ...prepared.image, data } };
}

interface Reframed {
  readonly image: RgbImage;
  /** From the new image's coordinates to those of the image before. */
  readonly toInput: Affine;
  /** [height · width] of the new image; undefined: everything is inspected. */
  readonly inspected: Uint8Array | undefined;
}

/** Another image of the same original, such as a part of the one before. */
export function withFrame(prepared: PreparedImage, next: Reframed): PreparedImage {
  const { inspected: _, ...kept } = prepared;
  const toOriginal = composeAffine(prepared.toOriginal, next.toInput);
  const reframed = { ...kept, image: next.image, toOriginal };
  return next.inspected ? { ...reframed, inspected: next.inspected } : reframed;
}

/** The same image with a sentence to a person added. */
export function withRemark(prepared: PreparedImage, remark: Message): PreparedImage {
  return { ...prepared, remarks: [...(prepared.remarks ?? []), remark] };
}
