import { describe, expect, it } from 'vitest';
import { newModel } from '../../../test/support/rows.ts';
import type { PredictRequest } from '../../jobs/compute/compute-pool.ts';
import type { SentVerdict } from '../../jobs/compute/messages.ts';
import type { ModelRow } from '../models/model.store.ts';
import { createPhotoJudge } from './photo-judge.ts';

const model = {
  ...newModel('m'),
  ...{ model_blob: 'weights', backbone_blob: 'network', backbone_id: 'n', backbone_description: '{}' },
} as ModelRow;

const processes = (...tasks: number[]) => tasks.map((count) => ({ pid: 1, ready: true, tasks: count, rssBytes: 0 }));

/** An engine with processes that have so many tasks, and photos whose bytes are their names. */
function openJudge({ tasks = [0], keptBytes = 1000 }: { tasks?: number[]; keptBytes?: number } = {}) {
  const asked: string[] = [];
  const read: string[] = [];
  const engine = { tasks, fails: false, ready: Promise.resolve() };
  const judge = createPhotoJudge({
    keptBytes,
    pool: {
      stats: () => ({ processes: processes(...engine.tasks), waiting: 0, crashes: 0 }),
      async predict({ image, options }: PredictRequest) {
        asked.push(`${Buffer.from(image)} at ${options.threshold}`);
        await engine.ready;
        if (engine.fails) throw new Error('The process died.');
        return { rawScore: asked.length } as SentVerdict;
      },
    },
    blobs: {
      async get(hash) {
        if (hash === 'missing') throw new Error('Blob missing is missing.');
        read.push(hash);
        return Buffer.from(hash);
      },
    },
  });
  const begin = (...photos: string[]) => judge.beginEarly(model, async () => photos);
  const score = async (photo: string, of = model) => (await judge.judge(of, photo)).verdict.rawScore;
  return { judge, begin, score, asked, read, engine };
}

describe('a photo that is judged ahead of its job', () => {
  it('is judged once, and its verdict given out once', async () => {
    const { begin, score, asked } = openJudge();
    await begin('a');
    expect(asked).toEqual(['a at 0.5']);
    expect(await score('a')).toBe(1);
    expect(asked).toHaveLength(1);
    expect(await score('a')).toBe(2);
  });

  it('is judged anew where the model has another threshold by then', async () => {
    const { begin, score, asked } = openJudge();
    await begin('a');
    expect(await score('a', { ...model, threshold: 0.7 })).toBe(2);
    expect(asked).toEqual(['a at 0.5', 'a at 0.7']);
  });

  it('waits for its job where no process is idle, or none is meant to be used', async () => {
    for (const options of [{ tasks: [1, 2] }, { keptBytes: 0 }]) {
      const { begin, asked } = openJudge(options);
      await begin('a');
      expect(asked).toEqual([]);
    }
  });

  it('is one of as many as there are idle processes', async () => {
    const { begin, asked } = openJudge({ tasks: [0, 1, 0] });
    await begin('a', 'b', 'c');
    expect(asked).toHaveLength(2);
  });

  it('is not read twice where a process was idle no longer when it had been read', async () => {
    const { judge, score, read, asked, engine } = openJudge();
    await judge.beginEarly(model, async () => {
      engine.tasks = [1];
      return ['a'];
    });
    expect(asked).toEqual([]);
    await score('a');
    expect(read).toEqual(['a']);
  });

  it('says to the job that waits for it what went wrong', async () => {
    const { begin, score, asked, engine } = openJudge();
    let answer = (): void => {};
    engine.fails = true;
    engine.ready = new Promise((resolve) => {
      answer = resolve;
    });
    await begin('a');
    const told = expect(score('a')).rejects.toThrow('The process died.');
    answer();
    await told;
    expect(asked).toHaveLength(1);
  });

  it('is judged anew by a job that comes after it went wrong', async () => {
    const { begin, score, engine } = openJudge();
    engine.fails = true;
    await begin('a', 'missing');
    await begin('missing');
    engine.fails = false;
    await expect(score('missing')).rejects.toThrow('Blob missing is missing.');
    expect(await score('a')).toBe(2);
  });

  it('gives way to others where nobody asks for it', async () => {
    const { begin, score, asked } = openJudge();
    for (let photo = 0; photo < 17; photo++) await begin(`photo ${photo}`);
    expect(await score('photo 1')).toBe(2);
    expect(await score('photo 0')).toBe(18);
    expect(asked).toHaveLength(18);
  });
});
