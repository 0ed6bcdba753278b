import { readFile, stat } from 'node:fs/promises';
import { arch, cpus, freemem, platform, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { ZipFile } from 'yazl';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { logFileNames } from '../../rotating-log.ts';
import type { createDebugFiguresStore } from './debug-figures.store.ts';
import { redactSecrets } from './redact.ts';

export type DebugLogsService = ReturnType<typeof createDebugLogsService>;

export function createDebugLogsService(dependencies: {
  logDir: string;
  dataDir: string;
  version: string;
  settings: Readonly<Record<string, unknown>>;
  figures: ReturnType<typeof createDebugFiguresStore>;
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
        ...(await dependencies.figures.getFigures()),
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
