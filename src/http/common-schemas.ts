import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import type { Message } from '../messages/message.ts';

/** Objects refuse fields that they do not know, by name. `title` becomes the name of the OpenAPI component. */
export const Shape = <T extends TProperties>(title: string, properties: T) =>
  Type.Object(properties, { title, additionalProperties: false });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const Int32 = (options: object = {}) =>
  Type.Integer({ format: 'int32', minimum: -2147483648, maximum: 2147483647, ...options });
export const DateTime = () => Type.String({ format: 'date-time' });
export const Id = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
export const IdList = (description: string) =>
  Type.Array(Id('one id'), { minItems: 1, maxItems: 100_000, description });

/** `{data: …}`, the envelope of every JSON success but login. */
export const Data = <T extends TSchema>(schema: T): TObject<{ data: T }> =>
  Type.Object({ data: schema }, { additionalProperties: false });

const MessageValues = Type.Unsafe<Message['values']>({
  type: 'object',
  additionalProperties: true,
  description: 'ext: names and figures in the text; a reason in it is a code with values again',
});

export const BaseError = Shape('BaseError', {
  errors: Shape('Error', {
    code: Type.Optional(Type.String({ description: 'ext: kind of the error, the same in every language' })),
    values: Type.Optional(MessageValues),
    message: Type.Optional(
      Type.Array(
        Type.Object({ key: Type.String(), errors: Type.Array(Type.String()) }, { additionalProperties: false }),
      ),
    ),
    status: Type.Optional(Int32()),
    detail: Type.Optional(Type.String()),
    source: Type.Optional(Type.Object({ pointer: Type.String() }, { additionalProperties: false })),
    title: Type.Optional(Type.String()),
  }),
});

/** The statuses that an operation names, and `default` for any other error. */
export function errorResponses(...statuses: number[]): Record<string, typeof BaseError> {
  return Object.fromEntries([...statuses.map(String), 'default'].map((status) => [status, BaseError]));
}

export const StatusMessage = Shape('StatusMessage', {
  code: Type.String({ description: 'the same in every language' }),
  values: MessageValues,
  text: Type.String({ description: 'in the language of the request' }),
});

export const Binary = (contentType: string, description: string) => ({
  description,
  content: { [contentType]: { schema: { type: 'string', format: 'binary' } } },
});

export const Empty = (description: string) => ({ type: 'null', description });
