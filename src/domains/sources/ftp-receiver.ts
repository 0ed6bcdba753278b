import { createHash, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { hash, verify } from '@node-rs/argon2';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { hashGeneratedSecret, isGeneratedSecretHash, matchesGeneratedSecret } from '../../generated-secret.ts';
import type { UploadMemory } from '../../http/uploads.ts';
import { FtpReply } from '../../line/ftp/ftp-reply.ts';
import { type FtpServer, openFtpServer } from '../../line/ftp/ftp-server.ts';
import type { FtpBackend } from '../../line/ftp/ftp-session.ts';
import { hasImageExtension } from '../../line/watched-folder.ts';
import type { Db } from '../../storage/database.ts';
import { findStorageFailure } from '../../storage-failure.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { Admission } from './admission.ts';
import type { FtpStore } from './ftp.store.ts';
import type { SourceTracker } from './source-state.ts';

export type FtpReceiver = ReturnType<typeof createFtpReceiver>;

export interface FtpLogin {
  readonly user: string;
  readonly password: string;
}

const maxBytes = 64 * 1024 * 1024;
const idleMs = 300_000;
/** How long a client waits for room in the queue. */
const busyPatienceMs = 20_000;
/** A client that renames does so at once. */
const renamePatienceMs = 60_000;
const acknowledgeMs = 1000;
const sweepMs = 5000;
/** A client that was not told sends again before this. */
const rememberMs = 24 * 3_600_000;
/** After a start. A client sends again what it has kept while the service was off, however long that was. */
const catchUpMs = 3_600_000;
/** Letters and digits that nobody takes for others. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Takes the images of cameras that speak FTP: one login for each station. */
export function createFtpReceiver(dependencies: {
  db: Db;
  audit: AuditService;
  config: Config;
  store: FtpStore;
  admission: Admission;
  memory: UploadMemory;
  /** The tracker of a station whose source is FTP. */
  trackerOf: (stationId: string) => SourceTracker | undefined;
  onTaken: (stationId: string) => void;
  log: Logger;
}) {
  const { db, audit, config, store, admission, memory, trackerOf, onTaken, log } = dependencies;
  const limitLogins = countFailures(config.KENSA_LOGIN_ATTEMPTS);
  /** Unknown users cost as much time as known ones. */
  const decoyHash = hash(randomText(16));
  /** Items whose clients know that they are stored, and whose rows are still there. */
  const acknowledged = new Set<string>();
  /** Images that are being stored, by station, name and content: a client that lost its connection sends them again. */
  const underWay = new Map<string, Promise<string>>();
  let server: FtpServer | undefined;
  let startedAt = 0;
  let timers: NodeJS.Timeout[] = [];
  let housekeeping: Promise<void> = Promise.resolve();

  /** Of a password that an earlier release kept as argon2id, or that is wrong. */
  const isEarlier = async (login: Awaited<ReturnType<FtpStore['findLogin']>>, password: string): Promise<boolean> => {
    const isKept = login !== undefined && !isGeneratedSecretHash(login.secret_hash);
    if (!(await verify(isKept ? login.secret_hash : await decoyHash, password)) || !isKept) return false;
    const renewed = { ...login, secret_hash: hashGeneratedSecret(password) };
    await db.transaction().execute((trx) => store.saveLogin(trx, renewed));
    return true;
  };

  const release = (stationId: string, itemId: string): Promise<void> =>
    admission.release(stationId, itemId, (trx) => store.setReleased(itemId, trx));

  const admit = async (stationId: string, path: string, bytes: Buffer, hash: string): Promise<string> => {
    const earlier = await store.findRepeated(stationId, path, hash);
    // The client was not told that its image is stored: the connection or this service broke off.
    if (earlier && !acknowledged.has(earlier.item_id)) return earlier.item_id;
    const hold = !hasImageExtension(path);
    const upload = { station_id: stationId, path, hash, awaits_name: hold ? 1 : 0 };
    const deadline = performance.now() + busyPatienceMs;
    for (;;) {
      try {
        return await admission.admit({
          stationId,
          path: path.slice(1),
          bytes,
          hold,
          record: (trx, itemId) =>
            store.addUpload({ ...upload, item_id: itemId, created_at: new Date().toISOString() }, trx),
        });
      } catch (error) {
        const isBusy = error instanceof AppError && error.code === 'server-busy';
        if (!isBusy || performance.now() > deadline) throw error;
        await pause(200);
      }
    }
  };

  const take = async (stationId: string, path: string, file: Readable): Promise<string> => {
    const { bytes, release: releaseMemory } = await memory.read(file);
    try {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const key = `${stationId} ${hash} ${path}`;
      const current = underWay.get(key) ?? admit(stationId, path, bytes, hash);
      underWay.set(key, current);
      return await current.finally(() => underWay.delete(key));
    } finally {
      releaseMemory();
    }
  };

  const backend: FtpBackend = {
    async login(user, password, address) {
      const login = await store.findLogin(user);
      let isRight = login !== undefined && matchesGeneratedSecret(login.secret_hash, password);
      // A right password is never refused, however many wrong ones come from the camera's address.
      if (!isRight && limitLogins.isOver(address))
        throw new FtpReply(421, 'Too many wrong passwords. Try again in a minute.');
      isRight ||= await isEarlier(login, password);
      if (login && isRight && trackerOf(login.station_id)) return login.station_id;
      limitLogins.add(address);
      log.warn({ address }, 'an FTP login was refused');
      return undefined;
    },

    async store(stationId, path, file) {
      const tracker = trackerOf(stationId);
      if (!tracker) throw new FtpReply(450, 'The station takes no images by FTP.');
      try {
        const itemId = await take(stationId, path, file);
        tracker.keepUnreadable(() => false);
        onTaken(stationId);
        return itemId;
      } catch (error) {
        if (error instanceof AppError && error.code === 'image-invalid') {
          const [problem = error.detail] = error.problems.flatMap(({ errors }) => errors);
          tracker.addUnreadable({ name: path.slice(1), since: new Date().toISOString(), problem });
        }
        throw toReply(error, log);
      }
    },

    acknowledge: (itemId) => void acknowledged.add(itemId),

    find: async (stationId, path) => (await store.findByPath(stationId, path))?.item_id,

    async rename(stationId, itemId, path) {
      try {
        await admission.rename(stationId, itemId, path.slice(1));
        if ((await store.findUpload(itemId))?.awaits_name === 1) await release(stationId, itemId);
      } catch (error) {
        throw toReply(error, log);
      }
    },

    end(stationId, itemIds) {
      const finish = async (): Promise<void> => {
        for (const itemId of itemIds) {
          if ((await store.findUpload(itemId))?.awaits_name === 1) await release(stationId, itemId);
        }
      };
      finish().catch((err) => log.warn({ err }, 'an image that was sent by FTP waits for its prediction'));
    },
  };

  /** Rows of images that clients know to be stored go, once no other name is awaited. */
  const keepHouse = async (): Promise<void> => {
    const told = [...acknowledged];
    await store.forgetUploads(told);
    const left = new Set(await store.listAmong(told));
    for (const itemId of told) if (!left.has(itemId)) acknowledged.delete(itemId);
  };

  /** Images that nobody renamed are inspected as they are. */
  const sweep = async (): Promise<void> => {
    if (performance.now() - startedAt > catchUpMs)
      await store.pruneUploads(new Date(Date.now() - rememberMs).toISOString());
    for (const { station_id, item_id } of await store.listAwaiting(
      new Date(Date.now() - renamePatienceMs).toISOString(),
    )) {
      await release(station_id, item_id).catch((err) => log.debug({ err }, 'an image still waits for its prediction'));
    }
  };

  const repeat = (work: () => Promise<void>, ms: number): NodeJS.Timeout =>
    setInterval(() => {
      housekeeping = housekeeping
        .then(work)
        .catch((err) => log.warn({ err }, 'the uploads by FTP could not be looked after'));
    }, ms).unref();

  return {
    isOn: config.KENSA_FTP_PORT !== undefined,
    /** The port that it listens on. */
    port: (): number | undefined => server?.port,

    /** Gives the station a login, or its login a new password, which is not kept and cannot be shown again. */
    async renewLogin(stationId: string): Promise<FtpLogin> {
      const user = (await store.findLoginOf(stationId))?.user_name ?? `kensa-${randomText(6)}`;
      const password = randomText(16);
      const secretHash = hashGeneratedSecret(password);
      await db.transaction().execute(async (trx) => {
        await store.saveLogin(trx, { station_id: stationId, user_name: user, secret_hash: secretHash });
        await audit.record(trx, 'station.ftp-login', [{ id: stationId, details: { user } }]);
      });
      return { user, password };
    },

    hasLogin: async (stationId: string): Promise<boolean> => (await store.findLoginOf(stationId)) !== undefined,

    /** @throws ConfigError where it cannot listen, or its certificate cannot be used. */
    async start(): Promise<void> {
      const { KENSA_FTP_PORT: port, KENSA_FTP_ADDRESS: passiveAddress } = config;
      if (port === undefined) return;
      const host = config.KENSA_FTP_HOST ?? config.HOST;
      const secure = readCertificate(config);
      server = await openFtpServer({
        backend,
        host,
        port,
        secure,
        passiveAddress,
        maxBytes,
        idleMs,
        passivePorts: parsePortRange(config.KENSA_FTP_PASSIVE_PORTS),
        requireTls: config.KENSA_FTP_TLS === 'required',
      }).catch((cause: Error) => {
        const reason = `Kensa cannot listen for FTP at port ${port} of ${host}: ${cause.message}.`;
        throw new ConfigError(`${reason} Set KENSA_FTP_PORT and KENSA_FTP_HOST to free ones.`, { cause });
      });
      startedAt = performance.now();
      timers = [repeat(keepHouse, acknowledgeMs), repeat(sweep, sweepMs)];
      log.info({ host, port: server.port, tls: secure !== undefined }, 'FTP is on');
    },

    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await server?.close();
      await Promise.allSettled(underWay.values());
      await housekeeping;
      await keepHouse().catch(() => {});
    },
  };
}

/** `50000-50099` as two numbers. */
function parsePortRange(text: string): readonly [number, number] {
  const [first = 0, last = 0] = text.split('-').map(Number);
  return [first, last];
}

function readCertificate({ KENSA_FTP_CERTIFICATE: cert, KENSA_FTP_KEY: key }: Config): SecureContext | undefined {
  if (cert === undefined || key === undefined) return undefined;
  try {
    return createSecureContext({ cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2' });
  } catch (cause) {
    const reason = `KENSA_FTP_CERTIFICATE and KENSA_FTP_KEY cannot be used: ${(cause as Error).message}.`;
    throw new ConfigError(`${reason} Name PEM files of a certificate and its key.`, { cause });
  }
}

/** The reply for a client: 4xx where it should send the same file again, 5xx where that would not help. */
function toReply(error: unknown, log: Logger): FtpReply {
  if (error instanceof FtpReply) return error;
  const failure = findStorageFailure(error);
  if (failure) return new FtpReply(failure.code === 'storage-full' ? 452 : 451, failure.message);
  if (!(error instanceof AppError)) {
    log.error({ err: error }, 'an upload by FTP failed');
    return new FtpReply(451, 'Something failed at the server. Try again.');
  }
  return new FtpReply(error.code === 'image-invalid' ? 550 : 450, error.message);
}

/** Counts wrong passwords by address, for a minute each. */
function countFailures(limit: number) {
  const counts = new Map<string, { count: number; until: number }>();
  const current = (address: string) => {
    const entry = counts.get(address);
    return entry && entry.until > performance.now() ? entry : undefined;
  };
  return {
    isOver: (address: string): boolean => (current(address)?.count ?? 0) >= limit,
    add(address: string): void {
      if (counts.size > 10_000) counts.clear();
      const entry = current(address) ?? { count: 0, until: performance.now() + 60_000 };
      counts.set(address, { ...entry, count: entry.count + 1 });
    },
  };
}
