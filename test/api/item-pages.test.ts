import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoFiles } from '../support/demo-images.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

interface Page {
  readonly items: { item_id: string }[];
  readonly total: number;
  readonly next?: string;
}

describe('pages of items', () => {
  let service: TestService;
  /** Newest first. */
  let ids: string[];
  beforeEach(async () => {
    service = await startTestService({}, { work: false });
    const { test } = await demoFiles({ good: 1, testGood: 4, testDefect: 3 }, { pixels: 64 });
    const files = test.map(({ bytes }, index) => ({ name: `Ｓｅｒｉｅ Ä ${index}.png`, bytes }));
    const answer = await service.upload(files, { training: 'false' });
    ids = (answer.body as unknown as { data: { item_ids: string[] } }).data.item_ids.reverse();
  });
  afterEach(() => service.stop());

  const get = (query: string) => service.call('GET', `/api/v1/items/?item_type=prediction&count=3${query}`);
  const read = async (query: string): Promise<{ indices: number[]; total: number; next: string | undefined }> => {
    const { items, total, next } = ((await get(query)).body as unknown as { data: Page }).data;
    return { indices: items.map((item) => ids.indexOf(item.item_id)), total, next };
  };

  it.each(['', `&name=${encodeURIComponent('serie ä')}`, `&name=${encodeURIComponent('Ä')}`, '&user_result=none'])(
    'skip no item that is read by `after` when items of earlier pages are deleted (%s)',
    async (filter) => {
      const first = await read(filter);
      expect(first).toMatchObject({ indices: [0, 1, 2], total: 7, next: expect.any(String) });
      await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [ids[0], ids[2]] } });
      expect((await read(`${filter}&page=2`)).indices).toEqual([5, 6]);
      const second = await read(`${filter}&after=${first.next}`);
      expect(second.indices).toEqual([3, 4, 5]);
      expect(await read(`${filter}&after=${second.next}`)).toMatchObject({ indices: [6], next: undefined });
    },
  );

  it('are refused where they are to be sorted by scores that no model gave, or go on in another order', async () => {
    expectError(await get('&sort=score'), 422, 'sort');
    expectError(await get('&sort=newest'), 422, 'sort');
    expectError(await get('&after=3:0.500000'), 422, 'after');
  });

  it('are refused where `after` is not one that the service gave, or stands beside a page number', async () => {
    for (const after of ['abc', '-1', '12345678901']) expectError(await get(`&after=${after}`), 422, 'after');
    expectError(await get('&after=3&page=2'), 422, 'page');
  });
});
