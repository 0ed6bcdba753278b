import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import type { AuthService } from '../../src/domains/auth/auth.service.ts';
import type { Db } from '../../src/storage/database.ts';
import { backendsHere, openTestDatabase, stopTestPostgres } from '../support/backends.ts';
import { openAccounts } from '../support/open-accounts.ts';

afterAll(stopTestPostgres);

describe.each(backendsHere)('a token on %s ends', (backend) => {
  const withAuth = async (test: (auth: AuthService, db: Db) => Promise<void>): Promise<void> => {
    const { db, close } = await openTestDatabase(backend);
    await test(await openAccounts(db), db).finally(close);
  };
  const refused = { code: 'token-invalid' };

  it('with the client, and does not come back with it', () =>
    withAuth(async (auth) => {
      await auth.addClient({ clientId: 'line 1', secret: 'first secret', name: 'line 1' });
      const { accessToken } = await auth.login('line 1', 'first secret');
      expect(await auth.verifyToken(accessToken)).toMatchObject({ id: 'line 1', role: 'admin' });
      await auth.revokeClient('line 1');
      await expect(auth.verifyToken(accessToken)).rejects.toMatchObject(refused);
      await expect(auth.login('line 1', 'first secret')).rejects.toMatchObject({ code: 'credentials-invalid' });
      await auth.addClient({ clientId: 'line 1', secret: 'first secret', name: 'line 1' });
      await expect(auth.verifyToken(accessToken)).rejects.toMatchObject(refused);
    }));

  it('with its secret, in the same second, and whatever the clock says', () =>
    withAuth(async (auth) => {
      await auth.addClient({ clientId: 'line 1', secret: 'first secret', name: 'line 1' });
      const { accessToken } = await auth.login('line 1', 'first secret');
      await auth.addClient({ clientId: 'line 1', secret: 'second secret', name: 'line 1' });
      await expect(auth.verifyToken(accessToken)).rejects.toMatchObject(refused);
      const { accessToken: next } = await auth.login('line 1', 'second secret');
      expect(await auth.verifyToken(next)).toMatchObject({ id: 'line 1' });
    }));

  it('with nothing in the database that is a secret', () =>
    withAuth(async (auth, db) => {
      const chosen = { clientId: 'line 1', secret: 'first secret', name: 'line 1' };
      const random = { clientId: 'line 2', secret: 'b13f0de9a4425e1d7c6a58f0932be741', name: 'line 2' };
      const made = [
        await auth.addClient(chosen),
        await auth.addClient(random),
        await auth.addClient({ name: 'line 3' }),
      ];
      const { rows } = await sql<{ secret_hash: string }>`select * from clients order by name`.execute(db);
      expect(rows.map(({ secret_hash: kept }) => kept.split('$').slice(0, 2).join('$'))).toEqual([
        '$argon2id',
        expect.stringMatching(/^sha256\$[\w-]{43}$/),
        expect.stringMatching(/^sha256\$[\w-]{43}$/),
      ]);
      for (const { secret } of made) expect(JSON.stringify(rows)).not.toContain(secret);
      expect(Buffer.from(made[2]?.secret ?? '', 'base64url')).toHaveLength(24);
    }));
});
