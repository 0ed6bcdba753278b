import { Tensor } from 'onnxruntime-node';
import { say } from '../engine-messages.ts';
import { imagePlanes } from '../image/image-planes.ts';
import { opaquePixels } from '../image/opaque-pixels.ts';
import type { Session } from '../onnx/open-session.ts';
import type { BackboneDescription, BackboneFile, RgbImage } from '../types.ts';
import { VisionError } from '../vision-error.ts';

/** An image as a network takes it, in the memory of `spare`, an earlier one, where its size is the same. */
export type ToTensor = (image: RgbImage, spare: Tensor | undefined) => Tensor;

const planesTensor =
  (scale: BackboneDescription): ToTensor =>
  (image, spare) => {
    const planes = spare?.size === 3 * image.width * image.height ? (spare.data as Float32Array) : undefined;
    return new Tensor('float32', imagePlanes(image, scale, planes), [1, 3, image.height, image.width]);
  };

const pixelsTensor: ToTensor = (image, spare) => {
  const pixels = spare?.size === 4 * image.width * image.height ? (spare.data as Uint8Array) : undefined;
  return new Tensor('uint8', opaquePixels(image, pixels), [1, image.height, image.width, 4]);
};

/**
 * Networks take normalised planes in floats, or the pixels' bytes.
 * @throws VisionError `invalid_backbone` where it is neither
 */
export function findToTensor({ inputMetadata }: Session, { id, description }: BackboneFile): ToTensor {
  const input = inputMetadata.find(({ name }) => name === description.input);
  if (input?.isTensor && input.type === 'float32') return planesTensor(description);
  if (input?.isTensor && input.type === 'uint8' && input.shape.length === 4 && input.shape[3] === 4)
    return pixelsTensor;
  const found = input?.isTensor ? `${input.type} [${input.shape.join(', ')}]` : 'no tensor';
  throw new VisionError('invalid_backbone', say('backbone.input', { input: description.input, id, found }));
}
