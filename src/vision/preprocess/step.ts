import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { composeAffine, IDENTITY } from '../math/affine.ts';
import type { Message } from '../message.ts';
import type { Affine, Picture, PreparedImage, ReadonlyBytes, RgbImage } from '../types.ts';

export type StepConfig = Readonly<Record<string, unknown>>;

/** One compiled step: pure, safe to call for several images at once. */
export type ImageStep = (prepared: PreparedImage) => Promise<PreparedImage>;

interface StepContext {
  /** A reference image after the steps before. @throws VisionError `invalid_value` where the key has no image. */
  reference(key: string): Promise<PreparedImage>;
}

export interface StepIssue {
  /** Name of the config's field, `config` for the whole. */
  readonly field: string;
  readonly message: Message;
}

export interface StepDefinition {
  readonly name: string;
  readonly title: string;
  /** What it is for and when to use it. */
  readonly help: string;
  readonly schema: TObject;
  readonly example: StepConfig;
  /** Finds what the schema cannot say. The config has passed the schema. */
  check(config: StepConfig): StepIssue[];
  /** Keys of the reference images that the step needs. */
  references(config: StepConfig): string[];
  build(config: StepConfig, context: StepContext): ImageStep | Promise<ImageStep>;
}

/** A step whose config has these fields and no others. Configs reach it validated, with defaults filled in. */
export interface TypedStep<Fields extends TProperties> extends Pick<StepDefinition, 'name' | 'title' | 'help'> {
  readonly fields: Fields;
  readonly example: Config<Fields> & StepConfig;
  check?(config: Config<Fields>): StepIssue[];
  references?(config: Config<Fields>): string[];
  build(config: Config<Fields>, context: StepContext): ImageStep | Promise<ImageStep>;
}

type Config<Fields extends TProperties> = Static<TObject<Fields>>;

export function defineStep<Fields extends TProperties>({ fields, ...step }: TypedStep<Fields>): StepDefinition {
  const defaults = { check: () => [], references: () => [] };
  return { ...defaults, ...step, schema: Type.Object(fields, { additionalProperties: false }) } as StepDefinition;
}

export function prepareImage<Image extends Picture>(image: Image): PreparedImage<Image> {
  return { image, toOriginal: IDENTITY, originalWidth: image.width, originalHeight: image.height };
}

export function withPixels(prepared: PreparedImage, data: ReadonlyBytes): PreparedImage {
  return { ...prepared, image: { ...prepared.image, data } };
}

/**
 * Another image of the same original, such as a part of the one before.
 * @param toInput from the new image's coordinates to those of the image before
 * @param inspected [height · width] of the new image; undefined: everything is inspected
 */
export function withFrame(
  prepared: PreparedImage,
  { image, toInput, inspected }: { image: RgbImage; toInput: Affine; inspected: Uint8Array | undefined },
): PreparedImage {
  const { inspected: _, ...kept } = prepared;
  const reframed = { ...kept, image, toOriginal: composeAffine(prepared.toOriginal, toInput) };
  return inspected ? { ...reframed, inspected } : reframed;
}

export function withRemark(prepared: PreparedImage, remark: Message): PreparedImage {
  return { ...prepared, remarks: [...(prepared.remarks ?? []), remark] };
}
