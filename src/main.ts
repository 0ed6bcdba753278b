import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { compose } from './composition.ts';
import type { Config } from './config.ts';
import { migrate } from './storage/migrate.ts';
import { openStorage } from './storage/open-storage.ts';

export interface RunningService {
  readonly url: string;
  /** The first client, on the start that made it; its secret is not shown again. */
  readonly firstClient: { readonly clientId: string; readonly secret: string } | undefined;
  stop(): Promise<void>;
}

const graceMs = 20_000;

export function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Config → storage → jobs → HTTP → listen; `stop` goes the same way back. */
export async function startService(config: Config): Promise<RunningService> {
  const { kensa, storage, log } = await openKensa(config);
  try {
    const firstClient = await ensureFirstClient(kensa.auth, config);
    const url = await kensa.app.listen({ port: config.PORT, host: config.HOST });
    await kensa.start();
    log.info({ url, dataDir: config.KENSA_DATA_DIR }, 'Kensa is ready');
    return {
      url,
      firstClient,
      async stop() {
        await kensa.stop({ graceMs });
        await storage.close();
        log.info('Kensa has stopped');
      },
    };
  } catch (error) {
    await kensa.stop({ graceMs: 0 }).catch(() => {});
    await storage.close();
    throw error;
  }
}

/** The same without HTTP: a process that only works. */
export async function startWorker(config: Config): Promise<{ stop(): Promise<void> }> {
  const { kensa, storage, log } = await openKensa(config);
  await kensa.start();
  log.info('this worker is ready');
  return {
    async stop() {
      await kensa.stop({ graceMs });
      await storage.close();
      log.info('this worker has stopped');
    },
  };
}

async function openKensa(config: Config) {
  const log = pino({
    level: config.KENSA_LOG_LEVEL,
    redact: ['req.headers.authorization', '*.secret', '*.client_secret'],
  });
  const storage = openStorage(config, (err) => log.warn({ err }, 'a connection to the database broke'));
  try {
    await migrate(storage.db);
    return { kensa: await compose({ config, storage, log, version: readVersion() }), storage, log };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function ensureFirstClient(
  auth: { addClient: Kensa['addClient']; listClients: Kensa['listClients'] },
  config: Config,
) {
  if (config.KENSA_CLIENT_ID !== undefined && config.KENSA_CLIENT_SECRET !== undefined) {
    await auth.addClient({
      clientId: config.KENSA_CLIENT_ID,
      secret: config.KENSA_CLIENT_SECRET,
      name: 'from settings',
    });
    return undefined;
  }
  if ((await auth.listClients()).length > 0) return undefined;
  return auth.addClient({ name: 'first client' });
}
type Kensa = Awaited<ReturnType<typeof compose>>['auth'];
