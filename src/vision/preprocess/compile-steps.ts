import { say } from '../engine-messages.ts';
import { decodeImage, pixelsOf } from '../image/decode-image.ts';
import type { Picture, PreparedImage, PreprocessingStep, RgbImage } from '../types.ts';
import { VisionError } from '../vision-error.ts';
import { type ImageStep, prepareImage } from './step.ts';
import { getStep, validateConfig } from './steps.ts';

/** Applies the steps. Without steps, the image comes back as it is, undecoded. */
export type Preprocess = <Image extends Picture>(image: Image) => Promise<PreparedImage<Image | RgbImage>>;

/**
 * One function for every image of a training and its predictions. @param references encoded, see `findReferences`
 * @throws VisionError `invalid_value` for an unknown step, a bad config or a missing reference.
 */
export async function compileSteps(
  steps: readonly PreprocessingStep[],
  references: ReadonlyMap<string, Uint8Array>,
): Promise<Preprocess> {
  const compiled: ImageStep[] = [];
  for (const { name, config } of steps) {
    const step = getStep(name);
    const validated = validateConfig(step, config);
    if (!validated.ok) throw new VisionError('invalid_value', validated.issues[0].message);
    const before = [...compiled];
    const reference = async (key: string): Promise<PreparedImage> => {
      const bytes = references.get(key);
      if (bytes) return applySteps(before, prepareImage(await decodeImage(bytes)));
      throw new VisionError('invalid_value', say('step.no-reference', { step: name, reference: key }));
    };
    compiled.push(await step.build(validated.config, { reference }));
  }
  return async (image) =>
    compiled.length === 0 ? prepareImage(image) : applySteps(compiled, prepareImage(await pixelsOf(image)));
}

async function applySteps(steps: readonly ImageStep[], start: PreparedImage): Promise<PreparedImage> {
  let prepared = start;
  for (const step of steps) prepared = await step(prepared);
  return prepared;
}
