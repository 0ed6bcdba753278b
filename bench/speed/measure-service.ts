import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KensaClient } from '../../src/client/kensa-client.ts';
import { measureBarePipelines } from './bare-pipelines.ts';
import { type BuiltService, startBuiltService } from './built-service.ts';
import { type Figure, medianFigure, type Section, spreadOf } from './figure.ts';
import { readPhotos } from './photo-folder.ts';
import { familyOf, memoryOf } from './processes.ts';
import { trainInspector } from './train-inspector.ts';

const WORKERS = 2;
/** Connections that upload at the same time. */
const CAMERAS = 6;
/** Photos before any figure is taken: a service runs for days, and V8 compiles what runs often. */
const WARM_UP = 300;
const LIMITS = { throughput: 85, overheadMs: 15, readyMs: 1500, idleMib: 250, busyMib: 600 };

export interface ServiceOptions {
  readonly training: readonly string[];
  readonly photos: readonly string[];
  /** How long the engine alone is measured. */
  readonly seconds: number;
  /** How many photos the service is measured with, fewer than its queue takes. */
  readonly uploads: number;
  readonly singles: number;
  readonly starts: number;
}

const toPrediction = { training: 'false', model_id: 'active' } as const;

/** Uploads with predictions from several connections, until all verdicts are stored. */
async function measureThroughput(service: BuiltService, photos: readonly Buffer[], uploads: number) {
  const { client, pid } = service;
  const ids: string[] = [];
  const memory: number[] = [];
  const started = performance.now();
  let number = 0;
  let ended = false;
  const shoot = async (): Promise<void> => {
    const camera = await service.openCamera();
    while (number < uploads) {
      const bytes = photos[number % photos.length];
      if (bytes) ids.push(...(await camera.upload(`${number++}.jpg`, bytes, toPrediction)));
    }
    camera.close();
  };
  const watch = async (): Promise<void> => {
    for (; !ended; await pause(500)) memory.push(memoryOf(familyOf(pid)));
  };
  const watching = watch();
  await Promise.all(Array.from({ length: CAMERAS }, shoot));
  await client.waitForItems(ids.slice(-CAMERAS));
  const perSecond = (1000 * ids.length) / (performance.now() - started);
  ended = true;
  await watching;
  await client.waitForItems(ids);
  return { perSecond, count: ids.length, peakMib: Math.max(...memory) };
}

/** From the request to predict an item to its stored verdict, one at a time. */
async function measureSingles(service: BuiltService, photos: readonly Buffer[], runs: number): Promise<number[]> {
  const camera = await service.openCamera();
  const files = Array.from({ length: runs + 3 }, (_, index) => ({
    name: `${index}.jpg`,
    bytes: photos[index % photos.length],
  }));
  const times: number[] = [];
  for (const { name, bytes } of files) {
    if (!bytes) continue;
    const [id = ''] = await camera.upload(name, bytes, { training: 'false' });
    const started = performance.now();
    await camera.predict(id);
    while ((await camera.findStatus(id)) !== 'done') await pause(1);
    times.push(performance.now() - started);
  }
  camera.close();
  return times.slice(3);
}

async function trainInService(client: KensaClient, paths: readonly string[]): Promise<void> {
  const files = (await readPhotos(paths)).map((bytes, index) => ({ name: `good-${index}.jpg`, bytes }));
  await client.uploadItems(files, { training: 'true', good: 'true' });
  const { model_id } = await client.request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', {
    name: 'bench',
  });
  await client.waitForModel(model_id);
}

/** Starts with a model in the database: how long until ready, and the memory before any request. */
async function measureStarts(dataDir: string, starts: number) {
  const [ready, idle]: [number[], number[]] = [[], []];
  for (let start = 0; start < starts; start++) {
    const service = await startBuiltService(dataDir, WORKERS);
    ready.push(service.readyMs);
    await pause(3000);
    idle.push(memoryOf(familyOf(service.pid)));
    await service.stop();
  }
  return { ready, idle };
}

/** The compiled service on loopback beside the engine alone, on the same cores. */
export async function measureService(options: ServiceOptions): Promise<Section> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-bench-'));
  const modelPath = `${dataDir}.model`;
  try {
    // As the service trains it, with the network that it takes on this processor.
    const { modelFile, inspector } = await trainInspector(await readPhotos(options.training), 'auto');
    await inspector.dispose();
    await writeFile(modelPath, modelFile);
    const photos = await readPhotos(options.photos);
    const service = await startBuiltService(dataDir, WORKERS);
    await trainInService(service.client, options.training);
    await measureThroughput(service, photos, WARM_UP);
    const bareOptions = { processes: WORKERS, seconds: options.seconds };
    const before = await measureBarePipelines(modelPath, options.photos, bareOptions);
    const whole = await measureThroughput(service, photos, options.uploads);
    const after = await measureBarePipelines(modelPath, options.photos, bareOptions);
    const singles = await measureSingles(service, photos, options.singles);
    const alone = await measureBarePipelines(modelPath, options.photos, { processes: 1, seconds: 5 });
    await service.stop();
    const bare = (before.perSecond + after.perSecond) / 2;
    const { ready, idle } = await measureStarts(dataDir, options.starts);
    return section(serviceFigures({ bare, whole, singles, alone: alone.milliseconds, ready, idle }));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await rm(modelPath, { force: true });
  }
}

interface Measured {
  readonly bare: number;
  readonly whole: { readonly perSecond: number; readonly count: number; readonly peakMib: number };
  readonly singles: readonly number[];
  readonly alone: readonly number[];
  readonly ready: readonly number[];
  readonly idle: readonly number[];
}

function serviceFigures({ bare, whole, singles, alone, ready, idle }: Measured): Figure[] {
  const overhead = spreadOf(singles).p95 - spreadOf(alone).p95;
  return [
    { name: 'engine alone', unit: 'photos/s', value: bare },
    { name: `upload and predict over HTTP, ${whole.count} photos`, unit: 'photos/s', value: whole.perSecond },
    {
      name: 'service against engine',
      unit: '%',
      value: (100 * whole.perSecond) / bare,
      limit: { least: LIMITS.throughput },
    },
    medianFigure('engine alone, a photo', 'ms', alone),
    medianFigure('request to stored verdict, one at a time', 'ms', singles),
    { name: 'the same at p95, over the engine’s p95', unit: 'ms', value: overhead, limit: { most: LIMITS.overheadMs } },
    medianFigure('start to ready', 'ms', ready, { most: LIMITS.readyMs }),
    medianFigure('memory after the start', 'MiB', idle, { most: LIMITS.idleMib }),
    { name: 'memory at full load, at most', unit: 'MiB', value: whole.peakMib, limit: { most: LIMITS.busyMib } },
  ];
}

function section(figures: Figure[]): Section {
  return {
    title: 'The service',
    method:
      `The compiled service on loopback with ${WORKERS} compute processes and SQLite on the disk, ${CAMERAS} connections that upload JPEG photos of one megapixel with a prediction; ` +
      `beside it the engine alone in ${WORKERS} processes, before and after, with the same photos and network. Memory is of the server and its compute processes together, shared pages counted once (PSS).`,
    figures,
  };
}
