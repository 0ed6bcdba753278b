import { composeKensa, type Kensa } from './composition.ts';
import { type Config, ConfigError, findDoubtfulSettings } from './config.ts';
import { createLog } from './create-log.ts';
import { collectRarely } from './jobs/compute/process-etiquette.ts';
import { readVersion } from './package-path.ts';
import { checkBlobStore } from './storage/check-blob-store.ts';
import { ensureDataDir } from './storage/data-dir.ts';
import { migrate } from './storage/migrate.ts';
import { openStorage } from './storage/open-storage.ts';

export type RunningService = Awaited<ReturnType<typeof startService>>;

const graceMs = 20_000;

/** Config → storage → jobs → HTTP → listen; `stop` goes the same way back. */
export async function startService(config: Config) {
  collectRarely(200);
  const { kensa, storage, log, closeLog } = await openKensa(config, { logToFiles: true });
  try {
    const [firstClient, url] = await Promise.all([ensureFirstClient(kensa.auth, config), listen(kensa.app, config)]);
    await kensa.start();
    log.info({ url, dataDir: config.KENSA_DATA_DIR }, 'Kensa is ready');
    return {
      url,
      firstClient,
      async stop(): Promise<void> {
        await kensa.stop({ graceMs });
        await storage.close();
        log.info('Kensa has stopped');
        closeLog();
      },
    };
  } catch (error) {
    await kensa.stop({ graceMs: 0 }).catch(() => {});
    await storage.close();
    closeLog();
    throw error;
  }
}

export async function startWorker(config: Config) {
  // Several workers may share a folder, and two processes must not rotate the same log files.
  const { kensa, storage, log } = await openKensa(config, { logToFiles: false });
  await kensa.start({ sources: false });
  log.info('this worker is ready');
  return {
    async stop() {
      await kensa.stop({ graceMs });
      await storage.close();
      log.info('this worker has stopped');
    },
  };
}

async function openKensa(config: Config, options: { logToFiles: boolean }) {
  // Before the log, which writes into it.
  ensureDataDir(config.KENSA_DATA_DIR);
  const { log, close: closeLog } = createLog(config, options);
  for (const sentence of findDoubtfulSettings(config)) log.warn(sentence);
  const onLost = (err: Error): void => log.warn({ err }, 'a connection to the database broke');
  const storage = openStorage(config, onLost);
  try {
    await migrate(storage.db);
    if (config.DATABASE_URL !== undefined) await checkBlobStore(storage.db, storage.blobs);
    return { kensa: await composeKensa({ config, storage, log, version: readVersion() }), storage, log, closeLog };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function listen(app: Kensa['app'], { PORT: port, HOST: host }: Config): Promise<string> {
  try {
    return await app.listen({ port, host });
  } catch (error) {
    const reason = `Kensa cannot listen at port ${port} of ${host}: ${(error as Error).message}.`;
    throw new ConfigError(`${reason} End what else listens there, or set PORT and HOST.`, { cause: error });
  }
}

/** The client that the first start makes: its secret is not shown again. Undefined where the settings name it. */
async function ensureFirstClient(auth: Kensa['auth'], config: Config) {
  if (config.KENSA_CLIENT_ID !== undefined && config.KENSA_CLIENT_SECRET !== undefined) {
    await auth.addClient({
      clientId: config.KENSA_CLIENT_ID,
      secret: config.KENSA_CLIENT_SECRET,
      name: config.KENSA_CLIENT_ID,
    });
    return undefined;
  }
  if ((await auth.listClients()).length > 0) return undefined;
  return auth.addClient({ name: 'first client' });
}
