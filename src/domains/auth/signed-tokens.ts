import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../errors.ts';

/** What an access token says, once its signature has been checked. */
export interface TokenClaims {
  readonly clientId: string;
  /** Of the secret that it was issued for. */
  readonly fingerprint: string;
}

const issuer = 'kensa';
const audience = 'kensa-api';
/** A signature is checked once and not at each of the requests of a camera. */
const mostRemembered = 1000;

export function createSignedTokens(key: Uint8Array) {
  const remembered = new Map<string, TokenClaims & { readonly expiresAt: number }>();
  return {
    issue: ({ clientId, fingerprint }: TokenClaims, seconds: number): Promise<string> =>
      new SignJWT({ scope: 'all', cred: fingerprint })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(clientId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(key),

    /** @throws AppError `token-invalid`. */
    async read(token: string): Promise<TokenClaims> {
      const known = remembered.get(token);
      if (known && known.expiresAt > Date.now()) return known;
      const required = { requiredClaims: ['sub', 'exp', 'cred'] };
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], issuer, audience, ...required }).catch(
        (cause) => {
          throw new AppError('token-invalid', {}, { cause });
        },
      );
      const claims = {
        clientId: payload.sub ?? '',
        fingerprint: String(payload['cred']),
        expiresAt: (payload.exp ?? 0) * 1000,
      };
      if (remembered.size >= mostRemembered) remembered.clear();
      remembered.set(token, claims);
      return claims;
    },
  };
}
