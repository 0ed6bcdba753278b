import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobQueue } from './jobs/job-queue.ts';

/** Undefined where it is not known. */
export interface RetentionFigures {
  readonly images: number;
  readonly records: number;
  readonly bytes: number;
  readonly lastRunAt: number | undefined;
  readonly freeBytes: number | undefined;
  readonly daysUntilFull: number | undefined;
}

const retentionGauges: readonly [string, string, keyof RetentionFigures][] = [
  ['kensa_retention_removed_images', 'Images that retention has removed', 'images'],
  ['kensa_retention_removed_records', 'Items that retention has removed with their record', 'records'],
  ['kensa_retention_removed_bytes', 'Size of the images that retention has removed', 'bytes'],
  ['kensa_retention_last_run_timestamp_seconds', 'When the last run of retention ended', 'lastRunAt'],
  ['kensa_disk_free_bytes', 'Free room for images', 'freeBytes'],
  [
    'kensa_disk_days_until_full',
    'Days until the room for images is used up at today’s rate; infinite: it is not',
    'daysUntilFull',
  ],
];

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
    /** Shows what retention has removed, and how long the disk lasts. */
    watchRetention(read: () => Promise<RetentionFigures>): void {
      let reading: Promise<RetentionFigures> | undefined;
      const figures = (): Promise<RetentionFigures> => {
        // One reading for all gauges of an answer.
        reading ??= read().finally(() =>
          setImmediate(() => {
            reading = undefined;
          }),
        );
        return reading;
      };
      for (const [name, help, figure] of retentionGauges) {
        new Gauge({
          name,
          help,
          registers: [registry],
          async collect() {
            const value = (await figures())[figure];
            if (value === undefined) this.reset();
            else this.set(value);
          },
        });
      }
    },
    /** Figures of the outputs of stations. */
    followLine(line: {
      isBrokerConnected(): boolean;
      connections(): number;
      countWaiting(): Promise<{ output: string; count: number }[]>;
    }): void {
      new Gauge({
        name: 'kensa_mqtt_connected',
        help: '1 while the MQTT broker is connected',
        registers: [registry],
        collect() {
          this.set(line.isBrokerConnected() ? 1 : 0);
        },
      });
      new Gauge({
        name: 'kensa_modbus_connections',
        help: 'Connections of controllers',
        registers: [registry],
        collect() {
          this.set(line.connections());
        },
      });
      new Gauge({
        name: 'kensa_station_results_waiting',
        help: 'Results of stations that are not delivered yet, by kind of output',
        labelNames: ['output'],
        registers: [registry],
        async collect() {
          this.reset();
          for (const { output, count } of await line.countWaiting()) this.set({ output }, count);
        },
      });
    },
    observeRequest: (route: string, method: string, status: number, seconds: number): void =>
      requests.observe({ route, method, status }, seconds),
  };
}
