import type { Static, TObject } from 'typebox';
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

export interface TypedStep<Schema extends TObject> {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly schema: Schema;
  readonly example: Static<Schema> & StepConfig;
  check?(config: Static<Schema>): StepIssue[];
  references?(config: Static<Schema>): string[];
  build(config: Static<Schema>, context: StepContext): ImageStep | Promise<ImageStep>;
}

/** A step whose config's type follows from its schema. Configs reach it validated, with defaults filled in. */
export function defineStep<Schema extends TObject>(step: TypedStep<Schema>): StepDefinition {
  return {
    ...step,
    check: (config) => step.check?.(config as Static<Schema>) ?? [],
    references: (config) => step.references?.(config as Static<Schema>) ?? [],
    build: async (config, context) => step.build(config as Static<Schema>, context),
  };
}
