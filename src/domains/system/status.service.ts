import { arch, platform } from 'node:os';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { type Language, render } from '../../messages/message.ts';
import type { LicenseService } from '../license/license.service.ts';
import type { StatusStore } from './status.store.ts';

export type StatusService = ReturnType<typeof createStatusService>;

export function createStatusService(parts: {
  store: StatusStore;
  queue: JobQueue;
  license: LicenseService;
  version: string;
  workers: number;
  database: string;
}) {
  const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();
  return {
    async getStatus(language: Language) {
      const [counts, stored, license] = await Promise.all([
        parts.queue.counts(),
        parts.store.countStored(),
        parts.license.getState(),
      ]);
      return {
        version: parts.version,
        node_version: process.version,
        platform: `${platform()} ${arch()}`,
        database: parts.database,
        started_at: startedAt,
        memory_mb: Math.round(process.memoryUsage.rss() / 1e6),
        workers: parts.workers,
        queue: Object.entries(counts).map(([kind, jobs]) => ({ kind, ...jobs })),
        ...stored,
        license: { ...license, problem: license.problem && render(license.problem, language) },
      };
    },
  };
}
