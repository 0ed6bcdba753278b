import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { jwtVerify, SignJWT } from 'jose';
import type { Caller } from '../../caller.ts';
import { AppError, fieldError } from '../../errors.ts';
import {
  hashGeneratedSecret,
  isGeneratedSecretHash,
  isLongAndRandom,
  matchesGeneratedSecret,
} from '../../generated-secret.ts';
import { say } from '../../messages/message.ts';
import { roleOf, type Scope } from '../../roles.ts';
import type { Db } from '../../storage/database.ts';
import type { SettingsStore } from '../../storage/settings.store.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { Client, ClientStore } from './client.store.ts';

export type AuthService = Awaited<ReturnType<typeof createAuthService>>;

export async function createAuthService(dependencies: {
  db: Db;
  audit: AuditService;
  clients: ClientStore;
  settings: SettingsStore;
  tokenSeconds: number;
}) {
  const { db, audit, clients, settings, tokenSeconds } = dependencies;
  const signedTokens = createSignedTokens(await settings.getSecret('token_secret'));
  // An unknown client's secret is verified against this hash, so that the time of an answer does not tell which ids exist.
  const decoyHash = hash(randomBytes(16).toString('hex'));

  const matches = async (stored: string | undefined, secret: string): Promise<boolean> => {
    if (stored !== undefined && matchesGeneratedSecret(stored, secret)) return true;
    const isChosen = stored !== undefined && !isGeneratedSecretHash(stored);
    return (await verify(isChosen ? stored : await decoyHash, secret)) && isChosen;
  };
  const findMatching = async (clientId: string, clientSecret: string): Promise<Client | undefined> => {
    const client = await clients.findClient(clientId);
    const isRight = await matches(client?.secret_hash, clientSecret);
    return isRight && client?.revoked_at === null ? client : undefined;
  };
  const requireClient = async (clientId: string): Promise<Client> => {
    const client = await clients.findClient(clientId);
    if (client?.revoked_at === null) return client;
    throw new AppError('client-not-found', { id: clientId });
  };

  const recordLogin = (client: Client, isIn: boolean): Promise<void> => {
    const caller: Caller = isIn ? callerOf(client) : { kind: 'system', id: null, name: client.name, role: 'viewer' };
    const target = { id: client.client_id, details: { name: client.name } };
    return db
      .transaction()
      .execute((trx) => audit.record(trx, isIn ? 'client.sign-in' : 'client.refused', [target], caller));
  };

  return {
    /**
     * @param attempt counts a try, and is told when it was right. A generated secret that is right is no try: nobody
     * guesses one, so no stranger can use up the tries of a client that has one. So is a chosen one that is long and
     * random. `isKnown`: the secret of the client is chosen, and short.
     * @throws AppError `credentials-invalid`
     */
    async login(
      clientId: string,
      clientSecret: string,
      attempt: (isKnown: boolean) => () => void = () => () => undefined,
    ): Promise<AccessToken> {
      const known = await clients.findClient(clientId);
      const isOpen = known?.revoked_at === null;
      let client = isOpen && matchesGeneratedSecret(known.secret_hash, clientSecret) ? known : undefined;
      if (!client) {
        const succeed = attempt(isOpen && !isGeneratedSecretHash(known.secret_hash));
        client = await findMatching(clientId, clientSecret);
        if (client) succeed();
      }
      // An id that no client has may be a secret in the wrong field, and anybody could fill the trail with such ids.
      if (known) await recordLogin(known, client !== undefined);
      if (!client) throw new AppError('credentials-invalid');
      const accessToken = await signedTokens.issue(
        { clientId, fingerprint: fingerprintOf(client.secret_hash) },
        tokenSeconds,
      );
      return { accessToken, expiresIn: tokenSeconds, scope: client.scope };
    },
    /** The client of a token, with the scope that it has now. @throws AppError `token-invalid`. */
    async verifyToken(token: string): Promise<Caller> {
      const { clientId, fingerprint } = await signedTokens.read(token);
      const client = await clients.findClient(clientId);
      if (!client || client.revoked_at !== null || fingerprint !== fingerprintOf(client.secret_hash)) {
        throw new AppError('token-invalid');
      }
      return callerOf(client);
    },
    /** The client whose secret this is. Takes as long where there is no such client. */
    findMatchingClient: findMatching,
    findClient: clients.findClient,
    /** Makes a client, or gives an existing one a new secret. The secret is not kept and cannot be shown again. */
    async addClient(options: { clientId?: string; secret?: string; name: string; scope?: Scope }) {
      const { clientId = randomUUID(), name, scope = 'all' } = options;
      const secret = options.secret ?? randomBytes(24).toString('base64url');
      if (secret.length < 8)
        throw fieldError(
          'invalid-request',
          'client_secret',
          say('field.min-length', { limit: 8, received: secret.length }),
        );
      const isRandom = options.secret === undefined || isLongAndRandom(secret);
      const known = await clients.findClient(clientId);
      const isUnchanged =
        known?.revoked_at === null &&
        known.scope === scope &&
        (isGeneratedSecretHash(known.secret_hash) || !isRandom) &&
        (await matches(known.secret_hash, secret));
      if (isUnchanged) return { clientId, secret };
      const secretHash = isRandom ? hashGeneratedSecret(secret) : await hash(secret);
      await db.transaction().execute(async (trx) => {
        await clients.saveClient(trx, {
          client_id: clientId,
          name,
          secret_hash: secretHash,
          created_at: new Date().toISOString(),
          revoked_at: null,
          scope,
        });
        await audit.record(trx, known ? 'client.change' : 'client.add', [{ id: clientId, details: { name, scope } }]);
      });
      return { clientId, secret };
    },
    /** Gives an existing client another secret and keeps its name and scope. */
    async renewSecret(clientId: string) {
      const { name, scope } = await requireClient(clientId);
      return this.addClient({ clientId, name, scope });
    },
    /** @throws AppError `client-not-found` where no such client is in force */
    async changeScope(clientId: string, scope: Scope): Promise<Client> {
      const client = await requireClient(clientId);
      await db.transaction().execute(async (trx) => {
        await clients.saveClient(trx, { ...client, scope });
        await audit.record(trx, 'client.change', [{ id: clientId, details: { name: client.name, scope } }]);
      });
      return { ...client, scope };
    },
    listClients: clients.listClients,
    /** Ends the client, its tokens and its sessions. @returns the client as it is now */
    async revokeClient(clientId: string): Promise<Client> {
      const client = await requireClient(clientId);
      const at = new Date().toISOString();
      await db.transaction().execute(async (trx) => {
        if (!(await clients.revokeClient(trx, clientId, at))) return;
        await audit.record(trx, 'client.revoke', [{ id: clientId, details: { name: client.name } }]);
      });
      return { ...client, revoked_at: at };
    },
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

/** Ties a token or a session to the secret that it was given for: another secret ends it before it expires. */
export function fingerprintOf(secretHash: string): string {
  return createHash('sha256').update(secretHash).digest('base64url').slice(0, 22);
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
