import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { loadOwnBackbone, textureImage } from '../../../test/support/texture-images.ts';
import { findAlgorithm } from '../../vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../vision/algorithms/contract/parameter-values.ts';
import { decodeModel } from '../../vision/model-file/model-file.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import type { TrainingOutcome, TrainOrder } from './messages.ts';
import { runTraining, type TrainingSupervision } from './run-training.ts';

const algorithm = findAlgorithm('patchcore');
if (!algorithm) throw new Error('patchcore is missing');
const parsed = parseParameterValues(algorithm, [
  { name: 'image_size', value: '64' },
  { name: 'bank_size', value: '200' },
]);
if ('issues' in parsed) throw new Error('bad parameters');
const images = await Promise.all(Array.from({ length: 8 }, (_, seed) => textureImage(seed)));
const backbone = await loadOwnBackbone();

const order: TrainOrder = {
  kind: 'train',
  algorithmId: 'patchcore',
  parameterValues: parsed.values,
  steps: [{ name: 'grayscale', config: {} }],
  references: {},
  samples: images.map((_, index) => ({ itemId: `${index}`, name: `image ${index}`, good: true, regions: [] })),
  backbone,
  seed: 1,
};
const run = (changes: Partial<TrainingSupervision> = {}): Promise<TrainingOutcome> =>
  runTraining(order, {
    loadImage: async (index) => images[index] ?? new Uint8Array(),
    onProgress: () => {},
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
    ...changes,
  });

/** Training processes that this one has started. */
function childPids(): number[] {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', `${process.pid}`], { encoding: 'utf8' });
  const training = children.split('\n').filter((line) => line.includes('training-process'));
  return training.map((line) => Number.parseInt(line, 10));
}

describe('runTraining', { timeout: 90_000 }, () => {
  it('reports progress and gives a model file, the same for the same seed', async () => {
    const progress: FitProgress[] = [];
    const outcome = await run({ onProgress: (each) => progress.push(each) });
    const model = decodeModel(outcome.modelFile);
    expect(model).toMatchObject({ algorithmId: 'patchcore', backbone: { id: 'kensa' } });
    expect(model.preprocessing.steps).toEqual([{ name: 'grayscale', config: {} }]);
    expect(outcome.calibration.goodScores.length).toBe(images.length);
    expect(outcome.statistics.good).toBe(images.length);
    expect(progress.at(-1)?.fraction).toBe(1);
    expect(progress.map(({ fraction }) => fraction)).toEqual(progress.map(({ fraction }) => fraction).sort());
    const again = await run();
    expect(Buffer.compare(again.modelFile, outcome.modelFile)).toBe(0);
    expect(childPids()).toEqual([]);
  });

  it('says what is wrong with the input', async () => {
    const damaged = run({ loadImage: async () => Buffer.from('no image') });
    await expect(damaged).rejects.toMatchObject({
      name: 'VisionError',
      code: 'not_an_image',
      message: /^"image \d": /,
    });
    const unread = run({ loadImage: () => Promise.reject(new Error('blob 17 is missing')) });
    await expect(unread).rejects.toMatchObject({ code: 'compute-failed', message: /blob 17 is missing/ });
  });

  it('stops when it is cancelled, before, while it runs and while it hangs', async () => {
    const early = AbortSignal.abort();
    await expect(run({ signal: early })).rejects.toMatchObject({ code: 'cancelled' });
    const running = new AbortController();
    const loadImage = async (index: number) => {
      if (index === 3) running.abort();
      return images[index] ?? new Uint8Array();
    };
    await expect(run({ signal: running.signal, loadImage })).rejects.toMatchObject({
      code: 'cancelled',
    });
    const hanging = new AbortController();
    let from = 0;
    const never = run({
      signal: hanging.signal,
      loadImage: () => {
        for (const pid of childPids()) process.kill(pid, 'SIGSTOP');
        hanging.abort();
        from ||= performance.now();
        return new Promise(() => {});
      },
    });
    await expect(never).rejects.toMatchObject({ code: 'cancelled' });
    expect(performance.now() - from).toBeLessThan(6000);
    expect(childPids()).toEqual([]);
  });

  it('survives the death of its process and tells of it', async () => {
    const killed = run({
      loadImage: async () => {
        for (const pid of childPids()) process.kill(pid, 'SIGKILL');
        await pause(10_000, undefined, { ref: false });
        return new Uint8Array();
      },
    });
    await expect(killed).rejects.toMatchObject({ code: 'compute-failed', message: /SIGKILL.*out of memory/ });
    expect(childPids()).toEqual([]);
  });
});
