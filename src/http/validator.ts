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
    const { validate } = ajv.formats['date-time'] as { validate(text: string): boolean };
    ajv.addFormat('date-time', (text: string) => validate(text) && isStorable(text));
    return ajv;
  };
  const text = create(true);
  const json = create(false);
  return ({ schema, httpPart }) => (httpPart === 'body' ? json : text).compile(schema as object);
}

/** As the tables hold moments: no leap seconds, and years of four digits, so that text compares as time does. */
function isStorable(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().length === 24;
}
