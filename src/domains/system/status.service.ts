import { arch, platform } from 'node:os';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { type Language, render } from '../../messages/message.ts';
import type { LicenseService } from '../license/license.service.ts';
import type { FiguresStore } from './figures.store.ts';

export type StatusService = ReturnType<typeof createStatusService>;

export function createStatusService(dependencies: {
  figures: FiguresStore;
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
        dependencies.queue.counts(),
        dependencies.figures.countStored(),
        dependencies.license.getState(),
      ]);
      return {
        version: dependencies.version,
        node_version: process.version,
        platform: `${platform()} ${arch()}`,
        database: dependencies.database,
        started_at: startedAt,
        memory_mb: Math.round(process.memoryUsage.rss() / 1e6),
        workers: dependencies.workers,
        queue: Object.entries(counts).map(([kind, jobs]) => ({ kind, ...jobs })),
        ...stored,
        license: { ...license, problem: license.problem && render(license.problem, language) },
      };
    },
  };
}
