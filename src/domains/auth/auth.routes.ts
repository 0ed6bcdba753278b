import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { fieldError } from '../../errors.ts';
import { Shape } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { say } from '../../messages/message.ts';
import type { Attempts } from './attempts.ts';
import type { AuthService } from './auth.service.ts';

const LoginParams = Shape('LoginParams', {
  client_id: Type.String({ minLength: 1, maxLength: 500 }),
  client_secret: Type.String({ minLength: 1, maxLength: 500 }),
  grant_type: Type.String({ maxLength: 100, description: 'client_credentials' }),
  scope: Type.Optional(Type.String({ maxLength: 200, description: 'all' })),
});

const LoginResponse = Shape('LoginResponse', {
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'seconds' }),
  scope: Type.String(),
});

export function authRoutes(dependencies: { auth: AuthService; attempts: Attempts }): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Token');
  return async (app) => {
    // OAuth 2.0 clients send forms.
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
    app.post(
      '/api/auth/token',
      {
        ...operation('login', 'Get an access token', {
          role: 'open',
          body: LoginParams,
          response: { 200: LoginResponse },
          errors: [401],
        }),
      },
      async (request, reply) => {
        const { client_id, client_secret, grant_type } = request.body;
        if (grant_type !== 'client_credentials') {
          const values = { allowed: '"client_credentials"', received: JSON.stringify(grant_type) ?? 'null' };
          throw fieldError('invalid-request', 'grant_type', say('field.one-of', values));
        }
        const token = await dependencies.auth.login(client_id, client_secret, (isKnown) =>
          dependencies.attempts.take(request.ip, client_id, isKnown),
        );
        reply.header('cache-control', 'no-store');
        return {
          access_token: token.accessToken,
          token_type: 'Bearer' as const,
          expires_in: token.expiresIn,
          scope: token.scope,
        };
      },
    );
  };
}
