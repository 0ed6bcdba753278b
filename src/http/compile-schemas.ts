import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fastJsonStringify, { type AnySchema } from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySchemaValidationError, FastifySerializerCompiler } from 'fastify';

// Schemas are compiled at their first use: compiling all of them would take a third of a start.

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Texts of the query and the path are converted to the types of the schema. Values of JSON bodies have types already. */
export function createValidatorCompiler(): FastifySchemaCompiler<unknown> {
  const create = (coerceTypes: boolean): Ajv => {
    const ajv = new Ajv({
      coerceTypes,
      useDefaults: true,
      allErrors: true,
      verbose: true,
      removeAdditional: false,
      strict: false,
      // The schemas are our own, and tests ask for all of them.
      validateSchema: false,
      code: { optimize: false },
    });
    (addFormats as unknown as (ajv: Ajv) => void)(ajv);
    const { validate } = ajv.formats['date-time'] as { validate(text: string): boolean };
    ajv.addFormat('date-time', (text: string) => validate(text) && isStorable(text));
    return ajv;
  };
  const text = once(() => create(true));
  const json = once(() => create(false));
  return ({ schema, httpPart }) => {
    const compiled = once(() => (httpPart === 'body' ? json : text)().compile(schema as object));
    const validate = (value: unknown): boolean => {
      const isValid = compiled()(value) as boolean;
      validate.errors = (compiled().errors ?? null) as FastifySchemaValidationError[] | null;
      return isValid;
    };
    validate.errors = null as FastifySchemaValidationError[] | null;
    return validate;
  };
}

export function createSerializerCompiler(): FastifySerializerCompiler<unknown> {
  return ({ schema }) => {
    const serialize = once(() => fastJsonStringify(schema as AnySchema));
    return (value) => serialize()(value);
  };
}

/** Tables store times as text, which must sort as times do: no leap seconds, and years of four digits. */
function isStorable(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().length === 24;
}
