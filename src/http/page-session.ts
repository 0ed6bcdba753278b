import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** Every request of the page carries it. A page of another origin cannot send it without being asked by us, which we never do. */
const pageHeader = 'x-requested-with';
const pageName = 'kensa';

export interface PageSessionOptions {
  /** The address under which people reach the service, where the settings name it. */
  readonly publicUrl?: string | undefined;
}

export interface CookieOptions {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
  /** `Lax` goes along when another site leads here; `Strict` does not. */
  readonly sameSite: 'Strict' | 'Lax';
}

export const sessionCookie = 'kensa_session';

export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined && /^[\w.-]+$/.test(value)) return value;
  }
  return undefined;
}

/** Scripts cannot read it. Over HTTPS it never goes over HTTP. @param seconds 0 deletes it */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: PageSessionOptions,
  { name, value, seconds, sameSite }: CookieOptions,
): void {
  const isSecure = request.protocol === 'https' || publicUrl?.startsWith('https:') === true;
  const secure = isSecure ? '; Secure' : '';
  // Fastify keeps each cookie of a reply.
  reply.header('set-cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}${secure}`);
}

/**
 * Refuses a request that another site made a browser send (CSRF). For requests that change something with a cookie.
 * @throws AppError `request-forged`
 */
export function refuseForged(request: FastifyRequest, { publicUrl }: PageSessionOptions): void {
  const { origin } = request.headers;
  const isOwn =
    origin === undefined ||
    (URL.canParse(origin) && new URL(origin).host === request.host) ||
    (publicUrl !== undefined && origin === new URL(publicUrl).origin);
  if (!isOwn || request.headers[pageHeader] !== pageName)
    throw new AppError('request-forged', { origin: origin ?? '?', host: request.host });
}
