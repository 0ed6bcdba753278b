import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { jwtVerify, SignJWT } from 'jose';
import { type Caller, roleOf, type Scope } from '../../caller.ts';
import { AppError, fieldError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { SettingsStore } from '../../storage/settings.store.ts';
import type { Client, ClientStore } from './client.store.ts';

export type AuthService = Awaited<ReturnType<typeof createAuthService>>;

export async function createAuthService(dependencies: {
  clients: ClientStore;
  settings: SettingsStore;
  tokenSeconds: number;
}) {
  const { clients, settings, tokenSeconds } = dependencies;
  const signedTokens = createSignedTokens(await settings.getSecret('token_secret'));
  // An unknown client's secret is verified against this hash, so that the time of an answer does not tell which ids exist.
  const decoyHash = hash(randomBytes(16).toString('hex'));

  return {
    /** @throws AppError `credentials-invalid`. */
    async login(clientId: string, clientSecret: string): Promise<AccessToken> {
      const client = await clients.findClient(clientId);
      const matches = await verify(client?.secret_hash ?? (await decoyHash), clientSecret);
      if (!client || !matches || client.revoked_at !== null) throw new AppError('credentials-invalid');
      const accessToken = await signedTokens.issue({ clientId, fingerprint: fingerprintOf(client) }, tokenSeconds);
      return { accessToken, expiresIn: tokenSeconds, scope: client.scope };
    },
    /** The client of a token, with the scope that it has now. @throws AppError `token-invalid`. */
    async verifyToken(token: string): Promise<Caller> {
      const { clientId, fingerprint } = await signedTokens.read(token);
      const client = await clients.findClient(clientId);
      if (!client || client.revoked_at !== null || fingerprint !== fingerprintOf(client)) {
        throw new AppError('token-invalid');
      }
      return callerOf(client);
    },
    /** Makes a client, or gives an existing one a new secret. The secret is not kept and cannot be shown again. */
    async addClient(options: { clientId?: string; secret?: string; name: string; scope?: Scope }) {
      const { clientId = randomUUID(), secret = randomBytes(24).toString('base64url'), name, scope = 'all' } = options;
      if (secret.length < 8)
        throw fieldError(
          'invalid-request',
          'client_secret',
          say('field.min-length', { limit: 8, received: secret.length }),
        );
      const known = await clients.findClient(clientId);
      const unchanged =
        known && known.revoked_at === null && known.scope === scope && (await verify(known.secret_hash, secret));
      if (!unchanged) {
        await clients.saveClient({
          client_id: clientId,
          name,
          secret_hash: await hash(secret),
          created_at: new Date().toISOString(),
          revoked_at: null,
          scope,
        });
      }
      return { clientId, secret };
    },
    listClients: clients.listClients,
    revokeClient: (clientId: string) => clients.revokeClient(clientId, new Date().toISOString()),
  };
}

export interface AccessToken {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly scope: Scope;
}

export const callerOf = ({ client_id: id, name, scope }: Client): Caller => ({
  kind: 'client',
  id,
  name,
  role: roleOf(scope),
});

/** Ties a token to the secret that it was issued for: a new secret ends the tokens of the old one before they expire. */
function fingerprintOf(client: Client): string {
  return createHash('sha256').update(client.secret_hash).digest('base64url').slice(0, 22);
}

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
