import type { FastifyRequest } from 'fastify';
import type { Language } from '../messages/message.ts';

/** The first language that the caller names, where it is one of ours; English otherwise. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  return /^\s*ja\b/i.test(headers['accept-language'] ?? '') ? 'ja' : 'en';
}
