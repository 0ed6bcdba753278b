import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import type { AuthService } from '../domains/auth/auth.service.ts';
import { AppError } from '../errors.ts';

/** Refuses a request without a valid access token. */
export function createAuthenticate(auth: AuthService): preHandlerAsyncHookHandler {
  return async (request: FastifyRequest) => {
    const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) throw new AppError('token-missing');
    await auth.verifyToken(token);
  };
}
