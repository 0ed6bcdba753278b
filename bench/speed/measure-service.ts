import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KensaClient } from '../../src/client/kensa-client.ts';
import { SqliteDatabase } from '../../src/storage/data-dir.ts';
import type { Inspector } from '../../src/vision/inspection/open-inspector.ts';
import { openBarePipelines } from './bare-pipelines.ts';
import { type BuiltService, startBuiltService } from './built-service.ts';
import type { Camera, UploadedFile } from './camera.ts';
import { type Figure, medianFigure, type Section, spreadOf } from './figure.ts';
import { readImages } from './image-folder.ts';
import { familyOf, memoryOf } from './processes.ts';
import { trainInspector } from './train-inspector.ts';

const WORKERS = 2;
/** Connections that upload at the same time. */
const CAMERAS = 6;
/** Images in one request of the turns with many. */
const MANY = 8;
/** Turns before any figure is taken: a service runs for days, and V8 compiles what runs often. */
const WARM_UP_TURNS = 6;
/** The engine alone and the service are measured by turns, so that a slow minute of the machine affects both. */
const TURNS = 12;
const TURN_SECONDS = 3;
const SINGLES_WARM_UP = 8;
/** Polling takes time from the same cores. At this interval it is under a hundredth of a turn. */
const LOOK_EVERY_MS = 250;
const MEMORY_EVERY_MS = 2000;
const LIMITS = { throughput: 85, overheadMs: 15, readyMs: 1500, idleMib: 250, busyMib: 600 };

export interface ServiceOptions {
  readonly training: readonly string[];
  readonly images: readonly string[];
  /** Number of images that all turns upload together. */
  readonly uploads: number;
  readonly singles: number;
  readonly starts: number;
}

/** The options of the service: a heatmap is drawn when somebody opens it. */
const inspectOptions = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: false };
const toPrediction = { training: 'false', model_id: 'active' } as const;

/** The image with a comment that no other has. The service stores equal files once, and no camera takes the same image twice. */
function asNewImage(name: string, jpeg: Buffer): UploadedFile {
  const remark = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 18]), randomBytes(16)]);
  return { name, pieces: [jpeg.subarray(0, 2), remark, jpeg.subarray(2)] };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function waitForVerdict(camera: Camera, itemId: string, lookEveryMs: number): Promise<number> {
  for (;;) {
    const time = await camera.findVerdictTime(itemId);
    if (time !== undefined) return time;
    await pause(lookEveryMs);
  }
}

/** Uploads with predictions from several connections, until all verdicts are stored. */
async function measureThroughput(
  service: BuiltService,
  images: readonly Buffer[],
  { uploads, atOnce }: { uploads: number; atOnce: number },
) {
  const { client, pid } = service;
  const ids: string[] = [];
  const memory: number[] = [];
  const started = Date.now();
  const clientStarted = cpuMs();
  let number = 0;
  let ended = false;
  const shoot = async (): Promise<void> => {
    const camera = await service.openCamera();
    while (number < uploads) {
      const taken = Array.from({ length: atOnce }, () => number++);
      const files = taken.flatMap((at) => {
        const bytes = images[at % images.length];
        return bytes ? [asNewImage(`${at}.jpg`, bytes)] : [];
      });
      ids.push(...(await camera.upload(files, toPrediction)));
    }
    camera.close();
  };
  const watch = async (): Promise<void> => {
    for (; !ended; await pause(MEMORY_EVERY_MS)) memory.push(memoryOf(familyOf(pid)));
  };
  const watching = watch();
  await Promise.all(Array.from({ length: CAMERAS }, shoot));
  const looker = await service.openCamera();
  const times: number[] = [];
  for (const id of ids.slice(-CAMERAS)) times.push(await waitForVerdict(looker, id, LOOK_EVERY_MS));
  looker.close();
  const clientMs = cpuMs() - clientStarted;
  const elapsed = Math.max(...times) - started;
  const perSecond = (1000 * ids.length) / elapsed;
  // The rate if the cameras had used no processor time.
  const perSecondAlone = (1000 * ids.length) / (elapsed - clientMs / WORKERS);
  ended = true;
  await watching;
  await client.waitForItems(ids);
  return {
    perSecond,
    perSecondAlone,
    clientMs: clientMs / ids.length,
    count: ids.length,
    peakMib: Math.max(...memory),
  };
}

interface Opened {
  readonly service: BuiltService;
  readonly dataDir: string;
}

/**
 * Measures one image at a time, by turns through the engine alone and through the service (from the request to the stored
 * verdict). The machine's speed changes from second to second by more than the difference between the two.
 */
async function measureSingles(
  { service, dataDir }: Opened,
  inspector: Inspector,
  images: readonly Buffer[],
  runs: number,
) {
  const camera = await service.openCamera();
  // Polling over HTTP would take time from the service while it stores the verdict.
  const database = new SqliteDatabase(join(dataDir, 'kensa.db'), { readonly: true });
  const verdicts = database.prepare('select 1 from assessments where item_id = ?');
  const [alone, singles]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs + SINGLES_WARM_UP; run++) {
    const bytes = images[run % images.length];
    if (!bytes) continue;
    const startedAt = performance.now();
    await inspector.inspect(bytes, inspectOptions);
    alone.push(performance.now() - startedAt);
    const [id = ''] = await camera.upload([asNewImage(`${run}.jpg`, bytes)], { training: 'false' });
    const started = performance.now();
    await camera.predict(id);
    // The verdict cannot be stored sooner.
    await pause(Math.min(...alone));
    while (verdicts.get(id) === undefined) await pause(1);
    singles.push(performance.now() - started);
  }
  database.close();
  camera.close();
  return { alone: alone.slice(SINGLES_WARM_UP), singles: singles.slice(SINGLES_WARM_UP) };
}

async function trainInService(client: KensaClient, paths: readonly string[]): Promise<void> {
  const files = (await readImages(paths)).map((bytes, index) => ({ name: `good-${index}.jpg`, bytes }));
  await client.uploadItems(files, { training: 'true', good: 'true' });
  const { model_id } = await client.request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', {
    name: 'bench',
  });
  await client.waitForModel(model_id);
}

/** Measures starts with a model in the database: time until ready, and memory before any request. */
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

/** Measures the compiled service on loopback and the engine alone on the same cores. */
export async function measureService(options: ServiceOptions): Promise<Section> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-bench-'));
  const modelPath = `${dataDir}.model`;
  // The same setting as in a compute process, so that the two can be compared.
  try {
    // Trained as in the service, with the network that it takes on this processor.
    const { modelFile, inspector } = await trainInspector(await readImages(options.training), 'auto');
    await writeFile(modelPath, modelFile);
    const images = await readImages(options.images);
    const service = await startBuiltService(dataDir, WORKERS);
    await trainInService(service.client, options.training);
    const uploads = options.uploads / TURNS;
    for (let turn = 0; turn < WARM_UP_TURNS; turn++)
      await measureThroughput(service, images, { uploads, atOnce: turn % 2 ? MANY : 1 });
    const turns: Turn[] = [];
    const pipelines = await openBarePipelines(modelPath, options.images, {
      processes: WORKERS,
      seconds: TURN_SECONDS,
    });
    for (let turn = 0; turn < TURNS; turn++) {
      const engine = await pipelines.measure(true);
      const verdicts = await pipelines.measure(false);
      const whole = await measureThroughput(service, images, { uploads, atOnce: 1 });
      const many = await measureThroughput(service, images, { uploads, atOnce: MANY });
      turns.push({ engine, verdicts, whole, many });
    }
    await pipelines.close();
    const { alone, singles } = await measureSingles({ service, dataDir }, inspector, images, options.singles);
    await inspector.dispose();
    await service.stop();
    const { ready, idle } = await measureStarts(dataDir, options.starts);
    return section(serviceFigures({ turns, alone, singles, ready, idle }));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await rm(modelPath, { force: true });
  }
}

type Throughput = Awaited<ReturnType<typeof measureThroughput>>;

interface Turn {
  /** Images a second, heatmaps drawn. */
  readonly engine: number;
  /** Images a second, none drawn. */
  readonly verdicts: number;
  readonly whole: Throughput;
  readonly many: Throughput;
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
  const verdictShares = turns.map(({ verdicts, whole }) => (100 * whole.perSecond) / verdicts);
  const manyShares = turns.map(({ engine, many }) => (100 * many.perSecond) / engine);
  const sharesAlone = turns.map(({ engine, whole }) => (100 * whole.perSecondAlone) / engine);
  const images = turns.reduce((sum, { whole, many }) => sum + whole.count + many.count, 0);
  return [
    medianFigure(
      'engine alone, from bytes to verdict, regions, heatmap',
      'images/s',
      turns.map(({ engine }) => engine),
    ),
    medianFigure(
      'engine alone, no heatmap drawn',
      'images/s',
      turns.map(({ verdicts }) => verdicts),
    ),
    medianFigure(
      `upload and predict over HTTP, ${images} images`,
      'images/s',
      turns.map(({ whole }) => whole.perSecond),
    ),
    medianFigure('service against engine', '%', shares, { least: LIMITS.throughput }),
    medianFigure(`the same with ${MANY} images a request`, '%', manyShares, { least: LIMITS.throughput }),
    medianFigure('service against engine, no heatmap drawn by either', '%', verdictShares),
    medianFigure(
      'processor time of the cameras, an image',
      'ms',
      turns.map(({ whole }) => whole.clientMs),
    ),
    medianFigure('service against engine, without the time of the cameras', '%', sharesAlone),
    medianFigure('engine alone, an image', 'ms', alone),
    medianFigure('request to stored verdict, one at a time', 'ms', singles),
    { name: 'the same at p95, over the engine’s p95', unit: 'ms', value: overhead, limit: { most: LIMITS.overheadMs } },
    medianFigure('start to ready', 'ms', ready, { most: LIMITS.readyMs }),
    medianFigure('memory after the start', 'MiB', idle, { most: LIMITS.idleMib }),
    {
      name: 'memory at full load, at most',
      unit: 'MiB',
      value: Math.max(...turns.flatMap(({ whole, many }) => [whole.peakMib, many.peakMib])),
      limit: { most: LIMITS.busyMib },
    },
  ];
}

function section(figures: Figure[]): Section {
  return {
    title: 'The service',
    method:
      `The compiled service on loopback with ${WORKERS} compute processes and SQLite on the disk, ${CAMERAS} connections that upload JPEG images of one megapixel with a prediction; ` +
      `beside it the engine alone in ${WORKERS} processes, by ${TURNS} turns, with the same images and network. The service draws a heatmap when somebody looks at it, here nobody does: the engine is measured with and without. The ${CAMERAS} cameras run on the same cores, which no camera does: one figure leaves their processor time away. Memory is of the server and its compute processes together, shared pages counted once (PSS).`,
    figures,
  };
}
