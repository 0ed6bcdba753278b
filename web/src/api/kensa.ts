import { createKensaApi, dataOf } from '../../../src/client/kensa-api.ts';
import { KensaError, readError } from '../../../src/client/kensa-error.ts';
import { t } from '../i18n/text.ts';
import { language } from '../preferences.ts';
import { createStore } from '../store.ts';
import { askReason } from './reason.ts';
import { session } from './session.ts';

/** Whether the last request got an answer, even an error. */
export const reachable = createStore(true);

const sessionPath = '/api/v1/session';

/** Every operation of the service, with the session's cookie and in the language of the page. */
export const api = createKensaApi(location.origin, async (request) => {
  request.headers.set('accept-language', language.get());
  // Pages of other sites cannot send it, so the service knows that the request is ours.
  request.headers.set('x-requested-with', 'kensa');
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

/**
 * A request whose session is over waits for the next sign-in, so that no verdict and no upload is lost. One that needs a
 * reason asks for it, and goes out again.
 */
async function sendInSession(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await reach(request);
  if (response.status === 428) {
    const { body } = await readError(response.clone());
    const reason = await askReason(String(Object(body).errors?.values?.act));
    if (reason === undefined) return response;
    again.headers.set('x-reason', encodeURIComponent(reason));
    return sendInSession(again);
  }
  // Whether somebody is signed in is for the operations of the session to say.
  const isOwn = `${new URL(request.url).pathname}/`.startsWith(`${sessionPath}/`);
  if (response.status !== 401 || isOwn) return response;
  session.expire();
  await session.renewed(again.signal);
  return session.account() === null || again.signal.aborted ? response : sendInSession(again);
}

/** Asks the service who is signed in: at the start of the page, and after a change of the own account. */
export async function readSession(): Promise<void> {
  session.begin(await dataOf(api.GET(sessionPath)));
}

export async function signIn(name: string, password: string): Promise<void> {
  session.begin(await dataOf(api.POST(sessionPath, { body: { name, password } })));
}

/** On a shared terminal, as the next person. */
export async function signInByPin(user_id: string, pin: string): Promise<void> {
  try {
    session.begin(await dataOf(api.POST(`${sessionPath}/pin`, { body: { user_id, pin } })));
  } catch (error) {
    // Somebody ended the terminal.
    const isOver = error instanceof KensaError && Object(error.body).errors?.code === 'pin-not-allowed';
    if (isOver) session.forgetTerminal();
    throw error;
  }
}

export async function signOut(): Promise<void> {
  const { sign_out_url: url } = await dataOf(api.DELETE(sessionPath));
  // The provider of single sign-on would let the next person in as this one.
  if (url !== null) location.assign(url);
  else await readSession();
}

/** For the operations of one model, station or target. */
export const ofModel = (model_id: string) => ({ params: { path: { model_id } } });
export const ofStation = (station_id: string) => ({ params: { path: { station_id } } });
export const ofTarget = (targetId: number) => ({ params: { path: { target_id: String(targetId) } } });

/** Links may carry the public address of the service. The page loads them from its own origin. */
export function localUrl(url: string): string {
  if (!/^https?:/.test(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The file of a signed link. */
export async function loadFile(url: string, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(localUrl(url), { signal });
  if (!answer.ok) throw await readError(answer);
  return answer.blob();
}
