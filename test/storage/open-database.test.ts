import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { backendsHere, openTestDatabase, stopTestPostgres } from '../support/backends.ts';

setFlagsFromString('--expose-gc');
const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc');

describe.each(backendsHere)('a database on %s', (backend) => {
  afterAll(stopTestPostgres);

  it('leaves nothing of an answer behind that the next collection would have to copy', async () => {
    const { db, close } = await openTestDatabase(backend);
    const thousand = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      select i, 'row ' || i as name from n`;
    // An expectation in between would itself keep what it was given.
    const read = async (times: number): Promise<number> => {
      let rows = 0;
      for (let time = 0; time < times; time++) rows += (await thousand.execute(db)).rows.length;
      return rows;
    };
    expect(await read(50)).toBe(50_000);
    collect();
    const before = process.memoryUsage().heapUsed;
    expect(await read(50)).toBe(50_000);
    collect({ type: 'minor' });
    collect({ type: 'minor' });
    const left = process.memoryUsage().heapUsed - before;
    await close();
    expect(left).toBeLessThan(2_000_000);
  });
});
