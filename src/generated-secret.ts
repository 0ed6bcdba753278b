import { createHash, timingSafeEqual } from 'node:crypto';

const prefix = 'sha256$';

/** For secrets of 79 random bits or more only: nobody finds one by trying, however fast its hash is. */
export const hashGeneratedSecret = (secret: string): string =>
  prefix + createHash('sha256').update(secret).digest('base64url');

export const isGeneratedSecretHash = (stored: string): boolean => stored.startsWith(prefix);

/** Takes microseconds, so that a right secret is known before anything is counted or refused. */
export function matchesGeneratedSecret(stored: string, secret: string): boolean {
  const [kept, given] = [Buffer.from(stored), Buffer.from(hashGeneratedSecret(secret))];
  return kept.length === given.length && timingSafeEqual(kept, given);
}
