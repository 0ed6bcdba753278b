import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { operationsOf } from '../../http/operation.ts';
import {
  type PageSessionOptions,
  readCookie,
  refuseForged,
  sessionCookie,
  setCookie,
} from '../../http/page-session.ts';
import {
  NewTerminal,
  OwnPassword,
  OwnPin,
  PageSession,
  type PageSessionView,
  PinSignIn,
  SignedOut,
  SignIn,
  SsoQuery,
} from './auth.schemas.ts';
import type { Origin, SessionsService, SignedIn, StartedSession } from './sessions.service.ts';
import type { SingleSignOn } from './single-sign-on.ts';
import type { TerminalsService } from './terminals.service.ts';
import type { UsersService } from './users.service.ts';

interface Dependencies {
  sessions: SessionsService;
  users: UsersService;
  page: PageSessionOptions;
  /** Undefined where the settings name no provider. */
  sso: SingleSignOn | undefined;
  terminals: TerminalsService;
}

const ssoCookie = 'kensa_sso';
const ssoSeconds = 600;
const terminalCookie = 'kensa_terminal';
/** The longest that browsers keep a cookie. */
const terminalSeconds = 400 * 86_400;

const operation = operationsOf('Session');

/** Sign-in and sign-out of the page. They need no session. */
export function sessionRoutes({ sessions, users, page, sso, terminals }: Dependencies): FastifyPluginAsyncTypebox {
  const viewOf = async (request: FastifyRequest, signedIn: SignedIn | undefined): Promise<PageSessionView> => ({
    account: signedIn ? accountOf(signedIn) : null,
    first_start: !(await users.hasUsers()),
    single_sign_on: sso?.name ?? null,
    pin_role: terminals.pinRole,
    terminal: await terminals.view(readCookie(request, terminalCookie)),
  });

  const originOf = (request: FastifyRequest): Origin => ({
    address: request.ip,
    terminalId: readCookie(request, terminalCookie),
  });

  const keep = async (request: FastifyRequest, reply: FastifyReply, { id, seconds }: StartedSession) => {
    const earlier = readCookie(request, sessionCookie);
    if (earlier !== undefined) await sessions.forget(earlier);
    setCookie(request, reply, page, { name: sessionCookie, value: id, seconds, sameSite: 'Strict' });
  };

  /** Lax: the browser comes back from the provider with it. */
  const setJourney = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void =>
    setCookie(request, reply, page, { name: ssoCookie, value, seconds, sameSite: 'Lax' });

  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (request.method !== 'GET') refuseForged(request, page);
    });
    app.get(
      '/api/v1/session',
      operation('getSession', 'ext: who is signed in on this page', { role: 'open', answer: PageSession }),
      async (request) => ({ data: await viewOf(request, await findSignedIn(sessions, request)) }),
    );
    app.post(
      '/api/v1/session',
      operation('signIn', 'ext: sign in on the page, with a cookie', {
        role: 'open',
        body: SignIn,
        answer: PageSession,
        errors: [401, 403, 422],
      }),
      async (request, reply) => {
        const { name, password } = request.body;
        const started = await sessions.signIn(name, password, originOf(request));
        await keep(request, reply, started);
        return { data: await viewOf(request, await sessions.findSignedIn(started.id)) };
      },
    );
    app.post(
      '/api/v1/session/pin',
      operation('signInByPin', 'ext: change to another person on a shared terminal', {
        role: 'open',
        body: PinSignIn,
        answer: PageSession,
        errors: [401, 403, 422],
      }),
      async (request, reply) => {
        const { user_id, pin } = request.body;
        const started = await terminals.signIn(originOf(request), user_id, pin);
        await keep(request, reply, started);
        return { data: await viewOf(request, await sessions.findSignedIn(started.id)) };
      },
    );
    app.delete(
      '/api/v1/session',
      operation('signOut', 'ext: sign out; the session ends at once', {
        role: 'open',
        answer: SignedOut,
        errors: [403],
      }),
      async (request, reply) => {
        const signedIn = await findSignedIn(sessions, request);
        const { session } = signedIn ?? {};
        const url = session?.method === 'sso' ? await sso?.signOutUrl(session) : undefined;
        if (signedIn) await sessions.signOut(signedIn);
        setCookie(request, reply, page, { name: sessionCookie, value: '', seconds: 0, sameSite: 'Strict' });
        return { data: { sign_out_url: url ?? null } };
      },
    );
    app.get(
      '/api/v1/session/sso',
      operation('beginSingleSignOn', 'ext: go to the provider of single sign-on', {
        role: 'open',
        querystring: SsoQuery,
        response: { 302: { type: 'null', description: 'to the provider, or back to the page with the error' } },
      }),
      async (request, reply) => {
        const started = await sso?.begin(request.query.return_to ?? '/').catch(codeOf);
        if (typeof started !== 'object') return reply.redirect(`/?sign_in=${started ?? 'sso-unavailable'}`);
        setJourney(request, reply, started.kept, ssoSeconds);
        return reply.redirect(started.url);
      },
    );
    app.get(
      '/api/v1/session/sso/callback',
      { schema: { hide: true, querystring: { type: 'object' } } },
      async (request, reply) => {
        const kept = readCookie(request, ssoCookie);
        // It works once.
        setJourney(request, reply, '', 0);
        const finished =
          kept === undefined ? 'sso-refused' : await sso?.finish(request.url, kept, originOf(request)).catch(codeOf);
        if (typeof finished !== 'object') return reply.redirect(`/?sign_in=${finished ?? 'sso-unavailable'}`);
        await keep(request, reply, finished.started);
        return reply.redirect(finished.returnTo);
      },
    );
  };
}

/** The kind of an error, for the page to tell. Others are failures of the service. */
function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  throw error;
}

async function findSignedIn(sessions: SessionsService, request: FastifyRequest): Promise<SignedIn | undefined> {
  const id = readCookie(request, sessionCookie);
  return id === undefined ? undefined : sessions.findSignedIn(id);
}

function accountOf({ caller, session, hasPin }: SignedIn): PageSessionView['account'] {
  const { account_kind: kind, method, expires_at } = session;
  return { kind, id: caller.id ?? '', name: caller.name, role: caller.role, method, has_pin: hasPin, expires_at };
}

/** What a person changes about the own account. */
export function ownAccountRoutes(dependencies: Omit<Dependencies, 'sso'>): FastifyPluginAsyncTypebox {
  const { sessions, users, terminals, page } = dependencies;

  /** @throws AppError `password-needed` where the caller came by PIN, or is a machine */
  const requirePerson = async (request: FastifyRequest): Promise<SignedIn> => {
    const signedIn = await findSignedIn(sessions, request);
    const isSure = signedIn?.caller.kind === 'user' && signedIn.session.method !== 'pin';
    if (!isSure || signedIn.caller.id !== request.caller?.id) throw new AppError('password-needed');
    return signedIn;
  };
  const setTerminal = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void =>
    setCookie(request, reply, page, { name: terminalCookie, value, seconds, sameSite: 'Strict' });

  return async (app) => {
    app.put(
      '/api/v1/session/pin',
      operation('setOwnPin', 'ext: set or take away the PIN of the person who is signed in', {
        role: 'viewer',
        body: OwnPin,
        response: { 204: { type: 'null', description: 'done' } },
        errors: [403, 422],
      }),
      async (request, reply) => {
        const { caller } = await requirePerson(request);
        const { pin } = request.body;
        if (pin !== null) terminals.requireAllowed(caller.role);
        await users.setPin(caller.id ?? '', pin);
        return reply.status(204).send(null as never);
      },
    );
    app.put(
      '/api/v1/session/terminal',
      operation('enableTerminal', 'ext: make this browser a shared terminal, where people take turns by PIN', {
        role: 'engineer',
        body: NewTerminal,
        response: { 204: { type: 'null', description: 'done, with a cookie that names the terminal' } },
        errors: [403, 422],
      }),
      async (request, reply) => {
        const { session } = await requirePerson(request);
        await terminals.disable(readCookie(request, terminalCookie));
        const id = await terminals.enable(request.body.name, request.ip, session);
        setTerminal(request, reply, id, terminalSeconds);
        return reply.status(204).send(null as never);
      },
    );
    app.delete(
      '/api/v1/session/terminal',
      operation('disableTerminal', 'ext: no PIN works on this browser any more', {
        role: 'engineer',
        response: { 204: { type: 'null', description: 'done' } },
        errors: [403],
      }),
      async (request, reply) => {
        await terminals.disable(readCookie(request, terminalCookie));
        setTerminal(request, reply, '', 0);
        return reply.status(204).send(null as never);
      },
    );
    app.put(
      '/api/v1/session/password',
      operation('setOwnPassword', 'ext: another password for the person who is signed in; ends all sessions', {
        role: 'viewer',
        body: OwnPassword,
        response: { 204: { type: 'null', description: 'sign in with the new password' } },
        errors: [401, 422],
      }),
      async ({ body, ip }, reply) => {
        const user = await sessions.checkPassword(body.current, ip);
        await users.setPassword(user.user_id, body.password);
        return reply.status(204).send(null as never);
      },
    );
  };
}
