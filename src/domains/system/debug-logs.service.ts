import { readFile, stat } from 'node:fs/promises';
import { arch, cpus, freemem, platform, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { ZipFile } from 'yazl';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { logFileNames } from '../../rotating-log.ts';
import type { FiguresStore } from './figures.store.ts';

export type DebugLogsService = ReturnType<typeof createDebugLogsService>;

export function createDebugLogsService(dependencies: {
  logDir: string;
  dataDir: string;
  version: string;
  settings: Readonly<Record<string, unknown>>;
  figures: FiguresStore;
  queue: JobQueue;
  computeStats: () => unknown;
}) {
  return {
    /** A zip of logs and figures for support, without secrets and without images. */
    async openZip(): Promise<NodeJS.ReadableStream> {
      const zip = new ZipFile();
      const addJson = (name: string, value: unknown): void => {
        zip.addBuffer(Buffer.from(redactSecrets(`${JSON.stringify(value, null, 2)}\n`)), name);
      };
      addJson('versions.json', describeMachine(dependencies.version));
      addJson('settings.json', describeSettings(dependencies.settings));
      addJson('database.json', {
        ...(await dependencies.figures.getDebugFigures()),
        files: await databaseFiles(dependencies.dataDir),
      });
      addJson('queue.json', { jobs: await dependencies.queue.counts(), compute: dependencies.computeStats() });
      for (const name of logFileNames) {
        const text = await readFile(join(dependencies.logDir, name), 'utf8').catch(() => undefined);
        if (text !== undefined) zip.addBuffer(Buffer.from(redactSecrets(text)), `logs/${name}`);
      }
      zip.end();
      return zip.outputStream;
    },
  };
}

function describeMachine(version: string): object {
  return {
    kensa: version,
    ...process.versions,
    platform: platform(),
    release: release(),
    arch: arch(),
    cpus: cpus().length,
    cpuModel: cpus()[0]?.model ?? 'unknown',
    memoryBytes: { total: totalmem(), free: freemem(), process: process.memoryUsage() },
    uptimeSeconds: { machine: uptime(), process: process.uptime() },
    time: new Date().toISOString(),
  };
}

/** Confidential settings are shown as "(set)". */
function describeSettings(settings: Readonly<Record<string, unknown>>): object {
  const confidential = /SECRET|KEY|URL|CLIENT_ID|TOKEN$/;
  const shown = Object.entries(settings).map(([name, value]) => [name, confidential.test(name) ? '(set)' : value]);
  return Object.fromEntries(shown);
}

async function databaseFiles(dataDir: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of ['kensa.db', 'kensa.db-wal']) {
    const found = await stat(join(dataDir, name)).catch(() => undefined);
    if (found) sizes[name] = found.size;
  }
  return sizes;
}

const secrets: readonly RegExp[] = [
  // JSON web tokens, licenses among them.
  /eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g,
  /whsec_[A-Za-z0-9+/=_-]+/g,
  /(?<=Bearer\s{1,8})[\w.~+/=-]+/gi,
  /(?<=[?&](?:signature|token|key|secret|password)=)[^&\s"]+/gi,
  /(?<="(?:client_secret|secret|password|authorization|license_data)"\s*:\s*")[^"]*/gi,
  // Credentials in a URL.
  /(?<=:\/\/)[^/\s"@]+(?=@)/g,
  /\$argon2[^\s"]+/g,
];

/** Log text without anything that looks like a secret. No log line should hold one; this is the second safeguard. */
export function redactSecrets(text: string): string {
  return secrets.reduce((redacted, pattern) => redacted.replace(pattern, '[redacted]'), text);
}
