import { afterAll, describe, expect, it } from 'vitest';
import type { AuthService } from '../../src/domains/auth/auth.service.ts';
import { backendsHere, openTestDatabase, stopTestPostgres } from '../support/backends.ts';
import { openAccounts } from '../support/open-accounts.ts';

afterAll(stopTestPostgres);

describe.each(backendsHere)('a token on %s ends', (backend) => {
  const withAuth = async (test: (auth: AuthService) => Promise<void>): Promise<void> => {
    const { db, close } = await openTestDatabase(backend);
    await test(await openAccounts(db)).finally(close);
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
});
