import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KensaClient } from '../../src/client/kensa-client.ts';
import type { Inspector } from '../../src/vision/inspection/open-inspector.ts';
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
const SINGLES_WARM_UP = 8;
const LIMITS = { throughput: 85, overheadMs: 15, readyMs: 1500, idleMib: 250, busyMib: 600 };

export interface ServiceOptions {
  readonly training: readonly string[];
  readonly photos: readonly string[];
  /** How many photos the service is measured with, in all. */
  readonly uploads: number;
  readonly singles: number;
  readonly starts: number;
}

const inspectOptions = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: true };
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
  const looker = await service.openCamera();
  for (const id of ids.slice(-CAMERAS)) while ((await looker.findStatus(id)) !== 'done') await pause(5);
  looker.close();
  const perSecond = (1000 * ids.length) / (performance.now() - started);
  ended = true;
  await watching;
  await client.waitForItems(ids);
  return { perSecond, count: ids.length, peakMib: Math.max(...memory) };
}

/**
 * One photo at a time, by turns through the engine alone and, from the request to the stored verdict, through the service:
 * the machine's speed changes from second to second by more than the difference between the two.
 */
async function measureSingles(service: BuiltService, inspector: Inspector, photos: readonly Buffer[], runs: number) {
  const camera = await service.openCamera();
  const [alone, singles]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs + SINGLES_WARM_UP; run++) {
    const bytes = photos[run % photos.length];
    if (!bytes) continue;
    const begun = performance.now();
    await inspector.inspect(bytes, inspectOptions);
    alone.push(performance.now() - begun);
    const [id = ''] = await camera.upload(`${run}.jpg`, bytes, { training: 'false' });
    const started = performance.now();
    await camera.predict(id);
    while ((await camera.findStatus(id)) !== 'done') await pause(1);
    singles.push(performance.now() - started);
  }
  camera.close();
  return { alone: alone.slice(SINGLES_WARM_UP), singles: singles.slice(SINGLES_WARM_UP) };
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
      turns.push({ engine: engine.perSecond, whole });
    }
    const { alone, singles } = await measureSingles(service, inspector, photos, options.singles);
    await inspector.dispose();
    await service.stop();
    const { ready, idle } = await measureStarts(dataDir, options.starts);
    return section(serviceFigures({ turns, alone, singles, ready, idle }));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await rm(modelPath, { force: true });
  }
}

interface Turn {
  /** Photos a second. */
  readonly engine: number;
  readonly whole: Awaited<ReturnType<typeof measureThroughput>>;
}

interface Measured {
  readonly turns: readonly Turn[];
  readonly alone: readonly number[];
  readonly singles: readonly number[];
  readonly ready: readonly number[];
  readonly idle: readonly number[];
}

function serviceFigures({ turns, alone, singles, ready, idle }: Measured): Figure[] {
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
