import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';

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
      // The schemas are our own and many, and a start waits for all of them.
      validateSchema: false,
      code: { optimize: false },
    });
    (addFormats as unknown as (ajv: Ajv) => void)(ajv);
    return ajv;
  };
  const text = create(true);
  const json = create(false);
  return ({ schema, httpPart }) => (httpPart === 'body' ? json : text).compile(schema as object);
}
