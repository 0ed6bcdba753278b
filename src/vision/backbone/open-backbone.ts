import { createHash } from 'node:crypto';
import { Tensor } from 'onnxruntime-node';
import { say } from '../engine-messages.ts';
import { imagePlanes, opaquePixels } from '../image/arrange-image.ts';
import { openSession, type Session, type Threads } from '../onnx/open-session.ts';
import type { BackboneFile, RgbImage } from '../types.ts';
import { VisionError } from '../vision-error.ts';

/** A network that turns an image into feature maps, one tensor (1, channels, rows, columns) a level, fine to coarse. */
export interface Backbone {
  extractLevels(image: RgbImage): Promise<Tensor[]>;
  dispose(): Promise<void>;
}

function checkNames(session: Session, { id, description }: BackboneFile): void {
  const { inputNames: inputs, outputNames: outputs } = session;
  if (description.outputs.length === 0) throw new VisionError('invalid_backbone', say('backbone.no-outputs', { id }));
  const missing = description.outputs.filter((name) => !outputs.includes(name));
  if (!inputs.includes(description.input)) missing.unshift(description.input);
  if (missing.length > 0)
    throw new VisionError('invalid_backbone', say('backbone.names', { id, inputs, outputs, missing }));
}

type ToTensor = (image: RgbImage, spare: Tensor['data'] | undefined) => Tensor;

/** How an image becomes the network's input: normalised planes in floats, or the pixels' bytes. */
function findToTensor({ inputMetadata }: Session, { id, description }: BackboneFile): ToTensor {
  const input = inputMetadata.find(({ name }) => name === description.input);
  if (input?.isTensor && input.type === 'float32')
    return (image, spare) =>
      new Tensor('float32', imagePlanes(image, description, spare as Float32Array), [1, 3, image.height, image.width]);
  if (input?.isTensor && input.type === 'uint8' && input.shape.length === 4 && input.shape[3] === 4)
    return (image, spare) =>
      new Tensor('uint8', opaquePixels(image, spare as Uint8Array), [1, image.height, image.width, 4]);
  const found = input?.isTensor ? `${input.type} [${input.shape.join(', ')}]` : 'no tensor';
  throw new VisionError('invalid_backbone', say('backbone.input', { input: description.input, id, found }));
}

/** @throws VisionError `invalid_backbone` */
function backboneOf(session: Session, file: BackboneFile): Backbone {
  checkNames(session, file);
  const { input, outputs } = file.description;
  const toTensor = findToTensor(session, file);
  // The input of the last image, filled anew for the next one; undefined while it is in use.
  let spare: Tensor['data'] | undefined;
  return {
    async extractLevels(image) {
      const tensor = toTensor(image, spare);
      spare = undefined;
      const results = await session.run({ [input]: tensor }, outputs);
      spare = tensor.data;
      return outputs.map((name) => {
        const level = results[name];
        if (level?.type !== 'float32' || level.dims.length !== 4 || level.dims[0] !== 1)
          throw new VisionError(
            'invalid_backbone',
            say('backbone.output', { output: name, id: file.id, found: `${level?.type} [${level?.dims}]` }),
          );
        return level;
      });
    },
    dispose: () => session.release(),
  };
}

/**
 * Opens the network and checks it against its description.
 * @throws VisionError `invalid_backbone`
 */
export async function openBackbone(file: BackboneFile, threads: Threads = 1): Promise<Backbone> {
  const session = await openSession(file.onnx, threads).catch((error: unknown) => {
    const details = error instanceof Error ? error.message : String(error);
    throw new VisionError('invalid_backbone', say('backbone.unusable', { id: file.id, details }));
  });
  try {
    return backboneOf(session, file);
  } catch (error) {
    await session.release();
    throw error;
  }
}

/** SHA-256 of the network and its description, in hexadecimal: a model only runs on the network it was trained with. */
export function backboneDigest({ onnx, description }: BackboneFile): string {
  const { input, outputs, mean, std } = description;
  return createHash('sha256')
    .update(onnx)
    .update(JSON.stringify([input, outputs, mean, std]))
    .digest('hex');
}
