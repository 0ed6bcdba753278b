import type { FastifyRequest } from 'fastify';
import { fieldError } from '../errors.ts';
import { say } from '../messages/message.ts';

/** For every route: no text of PostgreSQL holds a zero character, so that data that moves there may hold none anywhere. */
export async function refuseZeroCharacters(request: FastifyRequest): Promise<void> {
  for (const part of [request.params, request.query, request.body]) {
    const key = findZeroCharacter(part, '');
    if (key === undefined) continue;
    const code = request.routeOptions.config.invalidInput ?? 'invalid-request';
    throw fieldError(code, key, say('field.zero-character'));
  }
}

/** Where in a parsed body or query it is, as `annotations.0.notes`. */
function findZeroCharacter(value: unknown, key: string): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? key || 'body' : undefined;
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const place = key ? `${key}.${name}` : name;
    const found = name.includes('\0') ? key || 'body' : findZeroCharacter(inner, place);
    if (found !== undefined) return found;
  }
  return undefined;
}
