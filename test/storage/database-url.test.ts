import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/storage/migrate.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import { runKensa } from '../support/spawn-service.ts';
import { findPostgres, startPostgres, type TestPostgres } from '../support/start-postgres.ts';

/** What a command says that cannot use the database of this URL. */
async function complaintOf(url: string): Promise<string> {
  const db = openDatabase({ url });
  try {
    await migrate(db);
  } catch (error) {
    expect(error).toMatchObject({ name: 'ConfigError' });
    return (error as Error).message;
  } finally {
    await db.destroy();
  }
  throw new Error('It was accepted.');
}

async function listenOn(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a DATABASE_URL that cannot be used is refused in words', () => {
  it('where the host is unknown', async () => {
    const text = await complaintOf('postgresql://kensa:hush@nowhere.invalid/kensa');
    expect(text).toMatch(/^DATABASE_URL: the host nowhere\.invalid is unknown\. /);
    expect(text).not.toContain('hush');
  });

  it('where nothing listens at the port', async () => {
    const closed = createServer();
    const port = await listenOn(closed);
    closed.close();
    expect(await complaintOf(`postgresql://kensa:hush@127.0.0.1:${port}/kensa`)).toContain(
      `nothing listens at 127.0.0.1:${port}. Start PostgreSQL`,
    );
    expect(await complaintOf('postgresql://kensa@localhost/kensa?host=/no/such/folder')).toContain(
      'nothing listens at /no/such/folder:5432',
    );
  });

  it('where another server answers', async () => {
    const web = createHttpServer((_request, response) => response.end('hello'));
    const port = await listenOn(web);
    const text = await complaintOf(`postgresql://kensa:hush@127.0.0.1:${port}/kensa`);
    web.close();
    expect(text).toContain(`what answers at 127.0.0.1:${port} is not PostgreSQL`);
  });

  it('where it is no URL', async () => {
    expect(await complaintOf('postgresql://[hush')).toMatch(/^DATABASE_URL: it is not a URL\. .*postgresql:\/\/USER/);
  });

  it('by a command with one line and no stack', async () => {
    const { code, output } = await runKensa(['serve'], { DATABASE_URL: 'postgresql://kensa:hush@nowhere.invalid/x' });
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^kensa: DATABASE_URL: the host .*$/);
  });
});

describe.skipIf(!findPostgres())('a PostgreSQL that refuses', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres({ firstRule: 'local all stranger scram-sha-256' });
  });
  afterAll(() => server.stop());

  const urlOf = (change: (url: URL) => void): string => {
    const url = new URL(server.url);
    change(url);
    return url.href;
  };

  it('a password, or a user', async () => {
    for (const password of ['hush', '']) {
      const stranger = urlOf((url) => {
        url.username = 'stranger';
        url.password = password;
      });
      const text = await complaintOf(stranger);
      expect(text).toContain('refuses the user "stranger" with this password');
      expect(text).not.toContain('hush');
    }
  });

  it('a database that is not there', async () => {
    const missing = urlOf((url) => {
      url.pathname = '/kemsa';
    });
    expect(await complaintOf(missing)).toContain('there is no database "kemsa". Create it');
  });
});
