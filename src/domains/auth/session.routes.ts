import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { operationsOf } from '../../http/operation.ts';
import {
  type PageSessionOptions,
  readCookie,
  refuseForged,
  sessionCookie,
  setCookie,
} from '../../http/page-session.ts';
import { OwnPassword, PageSession, type PageSessionView, SignIn } from './auth.schemas.ts';
import type { SessionsService, SignedIn, StartedSession } from './sessions.service.ts';
import type { UsersService } from './users.service.ts';

interface Dependencies {
  sessions: SessionsService;
  users: UsersService;
  page: PageSessionOptions;
}

const operation = operationsOf('Session');

/** Sign-in and sign-out of the page. They need no session. */
export function sessionRoutes({ sessions, users, page }: Dependencies): FastifyPluginAsyncTypebox {
  const findSignedIn = async (request: FastifyRequest): Promise<SignedIn | undefined> => {
    const id = readCookie(request, sessionCookie);
    return id === undefined ? undefined : sessions.findSignedIn(id);
  };

  const viewOf = async (signedIn: SignedIn | undefined): Promise<PageSessionView> => ({
    account: signedIn ? accountOf(signedIn) : null,
    first_start: !(await users.hasUsers()),
  });

  const begin = async (request: FastifyRequest, reply: FastifyReply, { id, seconds }: StartedSession) => {
    const earlier = readCookie(request, sessionCookie);
    if (earlier !== undefined) await sessions.forget(earlier);
    setCookie(request, reply, page, { name: sessionCookie, value: id, seconds, sameSite: 'Strict' });
    return { data: await viewOf(await sessions.findSignedIn(id)) };
  };

  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (request.method !== 'GET') refuseForged(request, page);
    });
    app.get(
      '/api/v1/session',
      operation('getSession', 'ext: who is signed in on this page', { role: 'open', answer: PageSession }),
      async (request) => ({ data: await viewOf(await findSignedIn(request)) }),
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
        return begin(request, reply, await sessions.signIn(name, password, request.ip));
      },
    );
    app.delete(
      '/api/v1/session',
      operation('signOut', 'ext: sign out; the session ends at once', {
        role: 'open',
        answer: PageSession,
        errors: [403],
      }),
      async (request, reply) => {
        const signedIn = await findSignedIn(request);
        if (signedIn) await sessions.signOut(signedIn);
        setCookie(request, reply, page, { name: sessionCookie, value: '', seconds: 0, sameSite: 'Strict' });
        return { data: await viewOf(undefined) };
      },
    );
  };
}

function accountOf({ caller, session }: SignedIn): PageSessionView['account'] {
  const { account_kind: kind, method, expires_at } = session;
  return { kind, id: caller.id ?? '', name: caller.name, role: caller.role, method, expires_at };
}

/** What a person changes about the own account. */
export function ownAccountRoutes({ sessions, users }: Omit<Dependencies, 'page'>): FastifyPluginAsyncTypebox {
  return async (app) => {
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
