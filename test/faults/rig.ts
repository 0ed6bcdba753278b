import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../support/backends.ts';
import { startS3 } from '../support/s3-server.ts';
import { findChildren, type SpawnedService, spawnService, spawnWorker } from '../support/spawn-service.ts';
import { startPostgres } from '../support/start-postgres.ts';

export type Victim = 'server' | 'worker' | 'training' | 'host';

/** A service that breaks: one process on SQLite; or a server and a worker host on PostgreSQL and S3. */
export interface Rig {
  readonly service: SpawnedService;
  /** kill -9 of: the server, all compute processes, the training, or the whole worker host. */
  kill(victim: Victim): Promise<void>;
  /** Starts what is dead. */
  restore(): Promise<void>;
  damageBlob(bytes: Uint8Array, how: 'flip a bit' | 'remove'): void;
  stop(): Promise<void>;
}

/** Where a rig keeps what must outlive its processes. */
interface Ground {
  readonly settings: Record<string, string>;
  damage(hash: string, how: 'flip a bit' | 'remove'): void;
  close(): Promise<void>;
}

const flipped = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy[100] = (copy[100] ?? 0) ^ 1;
  return copy;
};

function openDisk(dataDir: string): Ground {
  return {
    settings: {},
    damage(hash, how) {
      const path = join(dataDir, 'blobs', hash.slice(0, 2), hash);
      if (how === 'remove') rmSync(path);
      else writeFileSync(path, flipped(readFileSync(path)));
    },
    close: async () => undefined,
  };
}

async function openCluster(): Promise<Ground> {
  const postgres = await startPostgres({ durable: true });
  const s3 = await startS3();
  return {
    settings: { DATABASE_URL: await postgres.createDatabase(), BLOB_URL: s3.url },
    damage(hash, how) {
      const key = `${hash.slice(0, 2)}/${hash}`;
      const object = s3.objects.get(key);
      if (!object) throw new Error(`There is no blob ${hash}.`);
      if (how === 'remove') s3.objects.delete(key);
      else object.bytes = flipped(object.bytes);
    },
    async close() {
      await postgres.stop();
      await s3.stop();
    },
  };
}

export async function openRig(backend: Backend): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'kensa-rig-'));
  const dataDir = join(folder, 'server');
  const ground = backend === 'postgres' ? await openCluster() : openDisk(dataDir);
  const start = () => spawnService({ ...ground.settings, KENSA_DATA_DIR: dataDir });
  const startHost = () =>
    backend === 'postgres' ? spawnWorker({ ...ground.settings, KENSA_DATA_DIR: join(folder, 'host') }) : undefined;
  let service = await start();
  let host = await startHost();
  const isDead = ({ exitCode, signalCode }: SpawnedService['process']): boolean =>
    exitCode !== null || signalCode !== null;
  return {
    get service() {
      return service;
    },
    async kill(victim) {
      if (victim === 'server') return service.kill();
      if (victim === 'host') return void host?.kill('SIGKILL');
      const parents = [service.process.pid, host?.pid].flatMap((pid) => pid ?? []);
      for (const pid of parents.flatMap((parent) => findChildren(parent, victim))) process.kill(pid, 'SIGKILL');
    },
    async restore() {
      if (isDead(service.process)) service = await start();
      if (host && isDead(host)) host = await startHost();
    },
    damageBlob: (bytes, how) => ground.damage(createHash('sha256').update(bytes).digest('hex'), how),
    async stop() {
      host?.kill('SIGTERM');
      await service.stop();
      await ground.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
