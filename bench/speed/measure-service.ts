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
/** The engine alone and the service by turns, so that a slow minute of the machine weighs on both. */
const TURNS = 5;
const TURN_SECONDS = 4;
const LIMITS = { throughput: 85, overheadMs: 15, readyMs: 1500, idleMib: 250, busyMib: 600 };

export interface ServiceOptions {
  readonly training: readonly string[];
  readonly photos: readonly string[];
  /** How many photos the service is measured with, in all. */
  readonly uploads: number;
  /** How many single predictions, in all. */
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
    const turns: Turn[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const engine = await measureBarePipelines(modelPath, options.photos, {
        processes: WORKERS,
        seconds: TURN_SECONDS,
      });
      const whole = await measureThroughput(service, photos, options.uploads / TURNS);
      const alone = await measureBarePipelines(modelPath, options.photos, { processes: 1, seconds: TURN_SECONDS });
      const singles = await measureSingles(service, photos, options.singles / TURNS);
      turns.push({ engine: engine.perSecond, whole, alone: alone.milliseconds, singles });
    }
    await service.stop();
    const { ready, idle } = await measureStarts(dataDir, options.starts);
    return section(serviceFigures({ turns, ready, idle }));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await rm(modelPath, { force: true });
  }
}

interface Turn {
  /** Photos a second. */
  readonly engine: number;
  readonly whole: Awaited<ReturnType<typeof measureThroughput>>;
  readonly alone: readonly number[];
  readonly singles: readonly number[];
}

interface Measured {
  readonly turns: readonly Turn[];
  readonly ready: readonly number[];
  readonly idle: readonly number[];
}

function serviceFigures({ turns, ready, idle }: Measured): Figure[] {
  const alone = turns.flatMap((turn) => turn.alone);
  const singles = turns.flatMap((turn) => turn.singles);
  const overhead = spreadOf(singles).p95 - spreadOf(alone).p95;
  const shares = turns.map(({ engine, whole }) => (100 * whole.perSecond) / engine);
  const photos = turns.reduce((sum, { whole }) => sum + whole.count, 0);
  return [
    medianFigure(
      'engine alone',
      'photos/s',
      turns.map(({ engine }) => engine),
    ),
    medianFigure(
      `upload and predict over HTTP, ${photos} photos`,
      'photos/s',
      turns.map(({ whole }) => whole.perSecond),
    ),
    medianFigure('service against engine', '%', shares, { least: LIMITS.throughput }),
    medianFigure('engine alone, a photo', 'ms', alone),
    medianFigure('request to stored verdict, one at a time', 'ms', singles),
    { name: 'the same at p95, over the engine’s p95', unit: 'ms', value: overhead, limit: { most: LIMITS.overheadMs } },
    medianFigure('start to ready', 'ms', ready, { most: LIMITS.readyMs }),
    medianFigure('memory after the start', 'MiB', idle, { most: LIMITS.idleMib }),
    {
      name: 'memory at full load, at most',
      unit: 'MiB',
      value: Math.max(...turns.map(({ whole }) => whole.peakMib)),
      limit: { most: LIMITS.busyMib },
    },
  ];
}

function section(figures: Figure[]): Section {
  return {
    title: 'The service',
    method:
      `The compiled service on loopback with ${WORKERS} compute processes and SQLite on the disk, ${CAMERAS} connections that upload JPEG photos of one megapixel with a prediction; ` +
      `beside it the engine alone in ${WORKERS} processes, by ${TURNS} turns, with the same photos and network. Memory is of the server and its compute processes together, shared pages counted once (PSS).`,
    figures,
  };
}
