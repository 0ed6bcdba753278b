import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { compose } from './composition.ts';
import type { Config } from './config.ts';
import { lockDataDir } from './storage/data-dir-lock.ts';
import { migrate } from './storage/migrate.ts';
import { openDatabase } from './storage/open-database.ts';

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
  const log = pino({
    level: config.KENSA_LOG_LEVEL,
    redact: ['req.headers.authorization', '*.secret', '*.client_secret'],
  });
  const unlock = lockDataDir(config.KENSA_DATA_DIR);
  const db = openDatabase({ dataDir: config.KENSA_DATA_DIR });
  try {
    await migrate(db);
    const kensa = await compose({ config, db, log, version: readVersion() });
    const firstClient = await ensureFirstClient(kensa.auth, config);
    const url = await kensa.app.listen({ port: config.PORT, host: config.HOST });
    await kensa.start();
    log.info({ url, dataDir: config.KENSA_DATA_DIR }, 'Kensa is ready');
    return {
      url,
      firstClient,
      async stop() {
        await kensa.stop({ graceMs });
        await db.destroy();
        unlock();
        log.info('Kensa has stopped');
      },
    };
  } catch (error) {
    await db.destroy();
    unlock();
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
