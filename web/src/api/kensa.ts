import { createKensaApi } from '../../../src/client/kensa-api.ts';
import { KensaError } from '../../../src/client/kensa-error.ts';
import { t } from '../i18n/text.ts';
import { language } from '../preferences.ts';
import { createStore } from '../store.ts';
import { session } from './session.ts';

/** Whether the last request got an answer, even an error. */
export const reachable = createStore(true);

const loginPath = '/api/auth/token';

/** Every operation of the service, with the session's token and in the language of the page. */
export const api = createKensaApi(location.origin, async (request) => {
  request.headers.set('accept-language', language.get());
  if (new URL(request.url).pathname === loginPath) return reach(request);
  return sendInSession(request);
});

/** @throws KensaError with status 0, in the language of the page, if the server does not answer. */
async function reach(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    reachable.set(true);
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    reachable.set(false);
    throw new KensaError(0, { errors: { title: t('unreachable') } }, t('unreachableHint'));
  }
}

/** A request with an expired token waits for the next login, so that no verdict and no upload is lost. */
async function sendInSession(request: Request): Promise<Response> {
  const token = session.get().session?.token;
  if (token === undefined) return reach(request);
  const again = request.clone();
  request.headers.set('authorization', `Bearer ${token}`);
  const response = await reach(request);
  if (response.status !== 401) return response;
  session.expire(token);
  await session.renewed(again.signal);
  return session.get().session === undefined ? response : sendInSession(again);
}

export async function logIn(clientId: string, clientSecret: string): Promise<void> {
  const body = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
  const { data } = await api.POST(loginPath, { body });
  if (data) session.begin({ token: data.access_token, clientId });
}

/** For the operations of one model, and of one target. */
export const ofModel = (model_id: string) => ({ params: { path: { model_id } } });
export const ofTarget = (targetId: number) => ({ params: { path: { target_id: String(targetId) } } });

/** Links may carry the public address of the service. The page loads them from its own origin. */
export function localUrl(url: string): string {
  if (!/^https?:/.test(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
