import Type, { type Static, type TObject, type TProperties } from 'typebox';
import type { Message } from '../message.ts';
import type { PreparedImage } from '../types.ts';

export type StepConfig = Readonly<Record<string, unknown>>;

/** One compiled step: pure, safe to call for several images at once. */
export type ImageStep = (prepared: PreparedImage) => Promise<PreparedImage>;

export interface StepContext {
  /**
   * A reference image after all steps before this one.
   * @throws VisionError `invalid_value` where no image is stored under the key.
   */
  reference(key: string): Promise<PreparedImage>;
}

export interface StepIssue {
  /** Name of the config's field, `config` for the whole. */
  readonly field: string;
  /** What is wrong, the value received, what to do. */
  readonly message: Message;
}

/** What the step list, the web page and the documents know of a step. */
export interface StepDefinition {
  readonly name: string;
  readonly title: string;
  /** One or two sentences: what it is for and when to use it. */
  readonly help: string;
  readonly schema: TObject;
  readonly example: StepConfig;
  /** Finds what the schema cannot say. The config has passed the schema. */
  check(config: StepConfig): StepIssue[];
  /** Keys of the reference images that the step needs. */
  references(config: StepConfig): string[];
  build(config: StepConfig, context: StepContext): Promise<ImageStep>;
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

export function defineStep<Fields extends TProperties>(step: TypedStep<Fields>): StepDefinition {
  const { name, title, help, fields, example } = step;
  return {
    name,
    title,
    help,
    example,
    schema: Type.Object(fields, { additionalProperties: false }),
    check: (config) => step.check?.(config as Config<Fields>) ?? [],
    references: (config) => step.references?.(config as Config<Fields>) ?? [],
    build: async (config, context) => step.build(config as Config<Fields>, context),
  };
}
