import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fastJsonStringify, { type AnySchema } from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySchemaValidationError, FastifySerializerCompiler } from 'fastify';

// What is made of a schema is made when it is first needed: a start would spend a third of its time on making all of it.

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Text of the query and path is converted to the schema's types; JSON bodies say what they mean and are not. */
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
  const [text, json] = [once(() => create(true)), once(() => create(false))];
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

/** As the tables hold moments: no leap seconds, and years of four digits, so that text compares as time does. */
function isStorable(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().length === 24;
}
