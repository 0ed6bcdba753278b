import type { TObject, TSchema } from 'typebox';
import { Data, errorResponses } from './common-schemas.ts';

interface OperationShapes {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: unknown;
  readonly consumes?: string[];
  /** Empty: the operation needs no token. */
  readonly security?: [];
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

/** The schemas of a route, for validation, the types of its handler and the OpenAPI document. */
export function operationsOf(tag: string) {
  return <S extends OperationShapes>(
    operationId: string,
    summary: string,
    { answer, response, errors = [], ...request }: S,
  ) => ({
    schema: {
      operationId,
      tags: [tag],
      summary,
      ...request,
      response: { ...(answer ? { 200: Data(answer) } : response), ...errorResponses(...errors) },
    } as unknown as Omit<S, 'answer' | 'errors' | 'response'> & { response: Responses<S> },
  });
}
