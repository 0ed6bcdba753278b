import type { FastifyRequest } from 'fastify';
import { fieldError } from '../errors.ts';
import { say } from '../messages/message.ts';

/** For every route. PostgreSQL cannot store a zero character, so SQLite must not either: data may move. */
export async function refuseZeroCharacters(request: FastifyRequest): Promise<void> {
  for (const part of [request.params, request.query, request.body]) {
    const key = findZeroCharacter(part, '');
    if (key === undefined) continue;
    const code = request.routeOptions.config.invalidInput ?? 'invalid-request';
    throw fieldError(code, key, say('field.zero-character'));
  }
}

/** Its place in a parsed body or query, such as `annotations.0.notes`. */
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
