import type { TObject, TSchema } from 'typebox';
import type { Role } from '../roles.ts';
import { Data, errorResponses } from './common-schemas.ts';

interface OperationShapes {
  /** The lowest role that may call it; `open`: it needs no token and no session. */
  readonly role: Role | 'open';
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: unknown;
  readonly consumes?: string[];
  /** The content of `data` in an answer with status 200. */
  readonly answer?: TSchema;
  /** Every answer but errors by status, in place of `answer`. */
  readonly response?: object;
  /** The statuses of errors that the operation names. */
  readonly errors?: readonly number[];
}

type Responses<S> = S extends { answer: infer A extends TSchema }
  ? { 200: TObject<{ data: A }> }
  : S extends { response: infer R }
    ? R
    : never;

declare module 'fastify' {
  interface FastifySchema {
    'x-role'?: Role | 'open';
  }
}

/** The schemas of a route, for validation, the types of its handler, its role and the OpenAPI document. */
export function operationsOf(tag: string) {
  return <S extends OperationShapes>(
    operationId: string,
    summary: string,
    { role, answer, response, errors = [], ...request }: S,
  ) => ({
    schema: {
      operationId,
      tags: [tag],
      summary,
      'x-role': role,
      ...(role === 'open' ? { security: [] } : {}),
      ...request,
      response: { ...(answer ? { 200: Data(answer) } : response), ...errorResponses(...errors) },
    } as unknown as Omit<S, 'role' | 'answer' | 'errors' | 'response'> & { response: Responses<S> },
  });
}
