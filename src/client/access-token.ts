import { KensaError, readError } from './kensa-error.ts';

export interface Credentials {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const renewBeforeMs = 30_000;

/**
 * A `fetch` that carries an access token, gets it when it is needed, renews it before it expires, and asks once more
 * with a new one if the service no longer knows it.
 */
export function createAuthorizedFetch(credentials: Credentials): (request: Request) => Promise<Response> {
  const { baseUrl, clientId, clientSecret } = credentials;
  let token: Promise<{ value: string; renewAt: number }> | undefined;

  const login = async (): Promise<{ value: string; renewAt: number }> => {
    const response = await fetch(`${baseUrl}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }),
    });
    if (!response.ok) throw await readError(response);
    const answer = (await response.json()) as { access_token: string; expires_in?: number };
    return { value: answer.access_token, renewAt: Date.now() + (answer.expires_in ?? 3600) * 1000 - renewBeforeMs };
  };

  const getToken = async (): Promise<string> => {
    token ??= login();
    const current = await token.catch((error: unknown) => {
      token = undefined;
      throw error instanceof KensaError ? error : new KensaError(0, error, `${baseUrl} cannot be reached.`);
    });
    if (current.renewAt > Date.now()) return current.value;
    token = undefined;
    return getToken();
  };

  const send = async (request: Request): Promise<Response> => {
    request.headers.set('authorization', `Bearer ${await getToken()}`);
    return fetch(request);
  };

  return async (request) => {
    const again = request.clone();
    const response = await send(request);
    if (response.status !== 401) return response;
    token = undefined;
    return send(again);
  };
}
