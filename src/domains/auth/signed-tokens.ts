import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../errors.ts';

/** The content of an access token with a valid signature. */
export interface TokenClaims {
  readonly clientId: string;
  /** Fingerprint of the secret that the token was issued for. */
  readonly fingerprint: string;
}

const issuer = 'kensa';
const audience = 'kensa-api';

export function createSignedTokens(key: Uint8Array) {
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
      const requiredClaims = ['sub', 'exp', 'cred'];
      const options = { algorithms: ['HS256'], issuer, audience, requiredClaims };
      const { payload } = await jwtVerify(token, key, options).catch((cause) => {
        throw new AppError('token-invalid', {}, { cause });
      });
      return { clientId: payload.sub ?? '', fingerprint: String(payload['cred']) };
    },
  };
}
