import { createHash, timingSafeEqual } from 'node:crypto';

const prefix = 'sha256$';

/**
 * Whether a secret that a person set is as long and as mixed as a random one: `openssl rand -hex 32` prints such. Words,
 * dates and repeated parts change seldom between capitals, small letters and digits.
 */
export function isLongAndRandom(secret: string): boolean {
  const kinds = [...secret.replace(/[^a-z\d]/gi, '')].map((letter) =>
    letter >= 'a' ? 'small' : letter >= 'A' ? 'capital' : 'digit',
  );
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  // Random letters of two kinds change about every second time, those of three kinds two times in three.
  const leastChanges = (secret.length * (new Set(kinds).size - 1)) / 6;
  return secret.length >= 32 && new Set(secret).size >= 10 && changes > 0 && changes >= leastChanges;
}

/** For secrets of 79 random bits or more only: nobody finds one by trying, however fast its hash is. */
export const hashGeneratedSecret = (secret: string): string =>
  prefix + createHash('sha256').update(secret).digest('base64url');

export const isGeneratedSecretHash = (stored: string): boolean => stored.startsWith(prefix);

/** Takes microseconds, so that a right secret is known before anything is counted or refused. */
export function matchesGeneratedSecret(stored: string, secret: string): boolean {
  const [kept, given] = [Buffer.from(stored), Buffer.from(hashGeneratedSecret(secret))];
  return kept.length === given.length && timingSafeEqual(kept, given);
}
