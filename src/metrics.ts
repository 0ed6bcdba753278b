import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobQueue } from './jobs/job-queue.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(queue: JobQueue) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'kensa_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  new Gauge({
    name: 'kensa_jobs',
    help: 'Background jobs by kind and state',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      for (const [kind, counts] of Object.entries(await queue.counts())) {
        for (const [state, count] of Object.entries(counts)) this.set({ kind, state }, count);
      }
    },
  });
  return {
    registry,
    observeRequest: (route: string, method: string, status: number, seconds: number): void =>
      requests.observe({ route, method, status }, seconds),
  };
}
