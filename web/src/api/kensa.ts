import { createKensaApi } from '../../../src/client/kensa-api.ts';
import { currentLanguage } from '../i18n/language.ts';
import { session } from './session.ts';

/** Every operation of the service that this page came from, with the session's token, in the language of the page. */
export const api = createKensaApi(location.origin, async (request) => {
  const token = session.get().session?.token;
  request.headers.set('accept-language', currentLanguage());
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(request);
  if (response.status === 401 && token !== undefined) session.expire();
  return response;
});

export async function logIn(clientId: string, clientSecret: string): Promise<void> {
  const body = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
  const { data } = await api.POST('/api/auth/token', { body });
  if (data) session.begin({ token: data.access_token, clientId });
}

/** Links may carry the public address of the service; the page loads them from where it came itself. */
export function localUrl(url: string): string {
  if (!/^https?:/.test(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
