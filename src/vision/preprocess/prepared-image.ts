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

export interface Reframed {
  readonly image: RgbImage;
  /** From the new image's coordinates to those of the image before. */
  readonly toInput: Affine;
  /** [height · width] of the new image; undefined: everything is inspected. */
  readonly inspected: Uint8Array | undefined;
}

/** The way back to the original grows by one step. */
export function withFrame(prepared: PreparedImage, next: Reframed): PreparedImage {
  const { originalWidth, originalHeight } = prepared;
  const toOriginal = composeAffine(prepared.toOriginal, next.toInput);
  const kept = { ...remarksOf(prepared), image: next.image, toOriginal, originalWidth, originalHeight };
  return next.inspected ? { ...kept, inspected: next.inspected } : kept;
}

/** The same image with a sentence to a person added. */
export function withRemark(prepared: PreparedImage, remark: Message): PreparedImage {
  return { ...prepared, remarks: [...(prepared.remarks ?? []), remark] };
}

function remarksOf(prepared: PreparedImage): { remarks?: readonly Message[] } {
  return prepared.remarks ? { remarks: prepared.remarks } : {};
}
