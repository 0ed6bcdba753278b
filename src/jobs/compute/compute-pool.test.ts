import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadOwnBackbone, textureImage } from '../../../test/support/texture-images.ts';
import { patchcore } from '../../vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../vision/algorithms/contract/parameter-values.ts';
import { carryOutOrder } from './carry-out-order.ts';
import { ComputePool, type ComputePoolOptions } from './compute-pool.ts';
import type { ModelSource } from './compute-worker.ts';
import { computeEnvironment } from './fork-entry.ts';

const log = pino({ level: 'silent' });
const patience = { timeout: 30_000, interval: 5 };

const noise = (width: number, height = width) => {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * 2654435761) >>> 24);
  return sharp(data, { raw: { width, height, channels: 3 } });
};
const small = await noise(64, 48).png().toBuffer();
/** Takes long enough to be interrupted. */
const large = await noise(2500).png({ compressionLevel: 1 }).toBuffer();

const alive = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('ComputePool', { timeout: 60_000 }, () => {
  let pool: ComputePool;
  const open = (options: Partial<ComputePoolOptions> = {}) => {
    pool = new ComputePool({ size: 1, log, ...options });
    return pool;
  };
  const pids = () => pool.stats().processes.map((process) => process.pid ?? 0);
  afterEach(() => pool.close(0));

  it('probes and shrinks images, and says what is wrong with a file', async () => {
    open();
    expect(await pool.run({ kind: 'probe', image: small })).toEqual({ format: 'png', width: 64, height: 48 });
    const thumbnail = await pool.run({ kind: 'thumbnail', image: small, size: 32 });
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 32, height: 24 });
    const cut = small.subarray(0, small.length - 2000);
    await expect(pool.run({ kind: 'probe', image: cut })).rejects.toMatchObject({
      name: 'VisionError',
      code: 'truncated_image',
    });
    await expect(pool.run({ kind: 'probe', image: Buffer.from('text') })).rejects.toMatchObject({
      name: 'VisionError',
      code: 'not_an_image',
    });
  });

  it.skipIf(process.platform !== 'linux')('gives its processes nothing of the environment of the service', async () => {
    vi.stubEnv('KENSA_CLIENT_SECRET', 'a secret of the service');
    open();
    await pool.run({ kind: 'probe', image: small });
    vi.unstubAllEnvs();
    const variables = readFileSync(`/proc/${pids()[0]}/environ`, 'utf8').split('\0').filter(Boolean);
    const names = variables.map((variable) => variable.split('=')[0]);
    expect(names).toEqual(expect.arrayContaining(Object.keys(computeEnvironment)));
    expect(
      names.filter((name) => !['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'].includes(name ?? '')),
    ).toHaveLength(Object.keys(computeEnvironment).length);
  });

  it('starts no process before there is work, and no more than its size', async () => {
    open({ size: 2 });
    expect(pool.stats().processes).toEqual([]);
    await Promise.all(Array.from({ length: 8 }, () => pool.run({ kind: 'probe', image: small })));
    expect(pool.stats().processes.length).toBe(2);
    expect(pool.stats()).toMatchObject({ waiting: 0, crashes: 0 });
  });

  it('tries the work of a process that died once more in another', async () => {
    open();
    await pool.run({ kind: 'probe', image: small });
    const [victim] = pids();
    const answers = Promise.all([
      pool.run({ kind: 'thumbnail', image: large, size: 50 }),
      pool.run({ kind: 'probe', image: small }),
      pool.run({ kind: 'probe', image: small }),
    ]);
    process.kill(victim ?? 0, 'SIGKILL');
    expect((await answers).slice(1)).toEqual([1, 2].map(() => ({ format: 'png', width: 64, height: 48 })));
    expect(pids()).not.toContain(victim);
    expect(pool.stats().crashes).toBe(1);
  });

  it('gives up on work that has killed two processes, and on no other', async () => {
    open();
    await pool.run({ kind: 'probe', image: small });
    const deadly = pool.run({ kind: 'thumbnail', image: large, size: 50 });
    const innocent = pool.run({ kind: 'probe', image: small });
    const failure = expect(deadly).rejects.toMatchObject({ code: 'compute-failed', message: /died twice.*SIGKILL/ });
    for (let death = 1; death <= 2; death++) {
      // Before it is ready, its death would count as a failed start.
      await vi.waitFor(() => expect(pool.stats().processes[0]).toMatchObject({ ready: true }), patience);
      const [victim] = pids();
      process.kill(victim ?? 0, 'SIGKILL');
      await vi.waitFor(() => expect(pids()).not.toContain(victim), patience);
    }
    await failure;
    expect(await innocent).toMatchObject({ width: 64 });
  });

  it('stops work that takes too long, and goes on with the rest', async () => {
    open({ taskTimeoutMs: 3000 });
    await pool.run({ kind: 'probe', image: small });
    const [stuck] = pids();
    process.kill(stuck ?? 0, 'SIGSTOP');
    const [late, next] = [pool.run({ kind: 'probe', image: small }), pool.run({ kind: 'probe', image: small })];
    await expect(late).rejects.toMatchObject({ code: 'compute-failed', message: expect.stringContaining('3\u00a0s') });
    expect(await next).toMatchObject({ width: 64 });
    expect(alive(stuck)).toBe(false);
  });

  it('replaces a process that has grown too large', async () => {
    open({ maxRssBytes: 1 });
    await pool.run({ kind: 'probe', image: small });
    const [first] = pids();
    await pool.run({ kind: 'probe', image: small });
    await vi.waitFor(() => expect(alive(first)).toBe(false), patience);
    expect(pool.stats().crashes).toBe(0);
  });

  it('leaves no process behind and refuses work after its end', async () => {
    open({ size: 2 });
    const running = [
      pool.run({ kind: 'probe', image: small }),
      pool.run({ kind: 'thumbnail', image: large, size: 20 }),
    ];
    await vi.waitFor(() => expect(pids().length).toBe(2), patience);
    const before = pids();
    await pool.close(30_000);
    await Promise.all(running);
    expect(before.map(alive)).toEqual([false, false]);
    await expect(pool.run({ kind: 'probe', image: small })).rejects.toMatchObject({ code: 'overloaded' });
  });
});

describe('compute processes', { timeout: 60_000 }, () => {
  it('end by themselves when the service is killed', async () => {
    const fixture = fileURLToPath(new URL('../../../test/jobs/compute-pool.fixture.ts', import.meta.url));
    const service = spawn(process.execPath, ['--import', 'tsx', fixture], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(service.stdout, 'data');
    const pids = JSON.parse(String(line)) as number[];
    expect(pids.map(alive)).toEqual([true, true]);
    service.kill('SIGKILL');
    await vi.waitFor(() => expect(pids.map(alive)).toEqual([false, false]), patience);
  });
});

describe('ComputePool with a model', { timeout: 60_000 }, () => {
  let pool: ComputePool;
  let trained: { bytes: Uint8Array; loads: number };
  const source = async (name = 'm', bytes = trained.bytes): Promise<ModelSource> => {
    const backbone = await loadOwnBackbone();
    return {
      hash: name,
      load: async () => {
        trained.loads++;
        return bytes;
      },
      backbone: { ...backbone, hash: 'b', load: async () => backbone.onnx },
    };
  };
  const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0 };

  beforeAll(async () => {
    const values = { image_size: '64', bank_size: '200' };
    const parsed = parseParameterValues(
      patchcore,
      Object.entries(values).map(([name, value]) => ({ name, value })),
    );
    if ('issues' in parsed) throw new Error('bad parameters');
    const order = {
      kind: 'train' as const,
      algorithmId: 'patchcore',
      parameterValues: parsed.values,
      steps: [],
      references: {},
      samples: Array.from({ length: 6 }, (_, index) => ({ itemId: `${index}`, name: '', good: true, regions: [] })),
      backbone: await loadOwnBackbone(),
      seed: 1,
    };
    const context = { loadImage: textureImage, signal: new AbortController().signal, report: () => {} };
    trained = { bytes: (await carryOutOrder(order, context)).modelFile, loads: 0 };
  });
  beforeEach(() => {
    trained.loads = 0;
  });
  afterEach(() => pool.close(0));

  it('gives the same verdict in every process, fetching the model once for each', async () => {
    pool = new ComputePool({ size: 2, log });
    const model = await source();
    await pool.warm(model);
    expect(trained.loads).toBe(1);
    const [good, defect] = [await textureImage(99), await textureImage(99, { defect: true })];
    const verdicts = await Promise.all(
      Array.from({ length: 12 }, (_, index) => pool.predict({ model, image: index % 2 ? defect : good, options })),
    );
    expect(new Set(verdicts.map(({ rawScore, result }) => `${result} ${rawScore}`)).size).toBe(2);
    expect(verdicts[1]).toMatchObject({ result: 'NG', width: 96, height: 96 });
    expect(verdicts[1]?.regions.length).toBe(1);
    expect(verdicts[1]?.rawScore).toBeGreaterThan(verdicts[0]?.rawScore ?? 0);
    expect(trained.loads).toBe(2);
  });

  it('opens a model in every process before an image goes to it', async () => {
    pool = new ComputePool({ size: 2, log });
    const model = await source();
    await pool.warmAll(model);
    expect(trained.loads).toBe(2);
    expect(pool.stats().processes).toHaveLength(2);
    const image = await textureImage(7);
    await Promise.all(Array.from({ length: 6 }, () => pool.predict({ model, image, options })));
    expect(trained.loads).toBe(2);
    const damaged = await source('damaged', trained.bytes.slice(0, -5));
    await expect(pool.warmAll(damaged)).rejects.toMatchObject({ code: 'invalid_model' });
  });

  it('keeps a bounded number of models open, those used last', async () => {
    pool = new ComputePool({ size: 1, log, maxModels: 2 });
    const image = await textureImage(7);
    const predict = async (name: string) => pool.predict({ model: await source(name), image, options });
    for (const name of ['a', 'b', 'a', 'c', 'a']) await predict(name);
    expect(trained.loads).toBe(3);
    await predict('b');
    expect(trained.loads).toBe(4);
  });

  it('says what is wrong with a model, and opens it once it is right', async () => {
    pool = new ComputePool({ size: 1, log });
    const image = await textureImage(7);
    const damaged = trained.bytes.slice();
    damaged[damaged.length - 5] = (damaged[damaged.length - 5] ?? 0) ^ 1;
    const broken = await source('m', damaged);
    await expect(pool.predict({ model: broken, image, options })).rejects.toMatchObject({ code: 'invalid_model' });
    const missing = { ...(await source()), load: () => Promise.reject(new Error('no such blob')) };
    await expect(pool.predict({ model: missing, image, options })).rejects.toThrow('no such blob');
    expect(await pool.predict({ model: await source(), image, options })).toMatchObject({ result: 'OK' });
  });

  it('goes on after a process died with the model open', async () => {
    pool = new ComputePool({ size: 1, log });
    const [model, image] = [await source(), await textureImage(7)];
    await pool.warm(model);
    const before = await pool.predict({ model, image, options });
    process.kill(pool.stats().processes[0]?.pid ?? 0, 'SIGKILL');
    expect((await pool.predict({ model, image, options })).rawScore).toBe(before.rawScore);
  });

  it('shows an image after the steps', async () => {
    pool = new ComputePool({ size: 1, log });
    const steps = [{ name: 'crop', config: { x: 10, y: 20, width: 30, height: 40, unit: 'pixel' } }];
    const preview = await pool.run({ kind: 'preview', image: await textureImage(3), steps, references: {} });
    expect(await sharp(preview).metadata()).toMatchObject({ format: 'webp', width: 30, height: 40 });
  });
});
