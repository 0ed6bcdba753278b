import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../errors.ts';

/** What an access token says, once its signature has been checked. */
export interface TokenClaims {
  readonly clientId: string;
  /** Of the secret that it was issued for. */
  readonly fingerprint: string;
}

export interface SignedTokens {
  issue(claims: TokenClaims, seconds: number): Promise<string>;
  /** @throws AppError `token-invalid`. */
  read(token: string): Promise<TokenClaims>;
}

const issuer = 'kensa';
const audience = 'kensa-api';
/** A signature is checked once and not at each of the requests of a camera. */
const mostRemembered = 1000;

export function createSignedTokens(key: Uint8Array): SignedTokens {
  const remembered = new Map<string, TokenClaims & { readonly expiresAt: number }>();
  return {
    issue: ({ clientId, fingerprint }, seconds) =>
      new SignJWT({ scope: 'all', cred: fingerprint })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(clientId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(key),

    async read(token) {
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
