import { afterAll, describe, expect, it } from 'vitest';
import { createAuthService } from '../../src/domains/auth/auth.service.ts';
import { createClientStore } from '../../src/domains/auth/client.store.ts';
import { createSettingsStore } from '../../src/storage/settings.store.ts';
import { backendsHere, openTestDatabase, stopTestPostgres } from '../support/backends.ts';

afterAll(stopTestPostgres);

describe.each(backendsHere)('a token on %s ends', (backend) => {
  const withAuth = async (
    test: (auth: Awaited<ReturnType<typeof createAuthService>>) => Promise<void>,
  ): Promise<void> => {
    const { db, close } = await openTestDatabase(backend);
    const parts = { clients: createClientStore(db), settings: createSettingsStore(db), tokenSeconds: 3600 };
    await test(await createAuthService(parts)).finally(close);
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
