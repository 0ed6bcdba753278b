import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/openapi.ts';
import { readError } from './kensa-error.ts';

/** Every operation, typed by path: `api.GET('/api/v1/models/')`. An error answer is thrown as KensaError. */
export type KensaApi = Client<paths>;
export type SendRequest = (request: Request) => Promise<Response>;

/** @param send carries the access token, and whatever else each request shall have. */
export function createKensaApi(baseUrl: string, send: SendRequest): KensaApi {
  return createClient<paths>({ baseUrl, fetch: checkAnswers(send) });
}

/** @returns a `send` that throws a KensaError for any answer but success. */
export function checkAnswers(send: SendRequest): SendRequest {
  return async (request) => {
    const response = await send(request);
    if (!response.ok) throw await readError(response);
    return response;
  };
}

/**
 * The `data` of an answer. The document leaves fields open that the service always sends. A caller that expects one of
 * the narrower shapes of `shapes.ts` gets it.
 */
export async function dataOf<Theirs, Ours extends Theirs = Theirs>(
  answer: Promise<{ readonly data?: { readonly data: Theirs } }>,
): Promise<Ours> {
  const { data } = await answer;
  return data?.data as Ours;
}
