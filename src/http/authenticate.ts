import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { AppError } from '../errors.ts';

interface TokenCheck {
  /** @throws AppError where the token is not valid. */
  verifyToken(token: string): Promise<unknown>;
}

/** Refuses a request without a valid access token. */
export function createAuthenticate(auth: TokenCheck): preHandlerAsyncHookHandler {
  return async (request: FastifyRequest) => {
    const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) throw new AppError('token-missing');
    await auth.verifyToken(token);
  };
}
