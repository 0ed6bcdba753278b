import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { createItemStore } from '../../src/domains/items/item.store.ts';
import { createItemListStore } from '../../src/domains/items/item-list.store.ts';
import type { Db } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import { createPostgresDatabase, stopTestPostgres } from '../support/backends.ts';
import { findListed } from '../support/listed-items.ts';
import { newAssessment, newItem, newModel } from '../support/rows.ts';
import { findPostgres } from '../support/start-postgres.ts';

afterAll(stopTestPostgres);

const programs = findPostgres();
const run = promisify(execFile);

it.skipIf(!programs || !existsSync(join(programs, 'pg_dump')))(
  'a dump made while items come in is restored whole: lists, their counts and what is stored next',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kensa-dump-'));
    const [source, target] = [await createPostgresDatabase(), await createPostgresDatabase()];
    const db = openDatabase({ url: source });
    const restored = openDatabase({ url: target });
    try {
      await migrate(db);
      await db.insertInto('models').values(newModel('m1')).execute();
      await addItems(db, 0, 300);
      let more = true;
      const coming = (async () => {
        for (let index = 300; more; index++) await addItems(db, index, 1);
      })();
      const file = join(folder, 'kensa.dump');
      await run(join(programs ?? '', 'pg_dump'), ['--format=custom', `--file=${file}`, source]);
      more = false;
      await coming;
      await run(join(programs ?? '', 'pg_restore'), ['--no-owner', '--exit-on-error', `--dbname=${target}`, file]);

      await migrate(restored);
      const { count } = await restored
        .selectFrom('items')
        .select((builder) => builder.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      expect(Number(count)).toBeGreaterThanOrEqual(300);
      await addItems(restored, 100_000, 3);
      for (const filter of [
        {},
        { model_id: 'm1', result: 'NG' as const },
        { name: 'image 100' },
        { user_result: 'OK' as const },
      ]) {
        const list = { item_type: 'prediction' as const, ...filter };
        const expected = await findListed(restored, list);
        const page = await createItemListStore(restored).listItems(list, { count: 200 });
        expect(page.total).toBeGreaterThan(0);
        expect(page.items, JSON.stringify(filter)).toEqual(expected.slice(0, 200));
        expect(page.total).toBe(expected.length);
      }
    } finally {
      await db.destroy();
      await restored.destroy();
      await rm(folder, { recursive: true });
    }
  },
);

async function addItems(db: Db, from: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...newItem(`dumped-${from + index}`, { training: false, person: index % 3 === 0 ? 'OK' : null }),
    name: `image ${from + index}`,
  }));
  await db.transaction().execute(async (trx) => {
    await createItemStore(db).insertItems(trx, rows, []);
    for (const [index, { item_id }] of rows.entries()) {
      await trx
        .insertInto('assessments')
        .values(newAssessment(item_id, 'm1', index % 5 === 0 ? 'NG' : 'OK'))
        .execute();
    }
  });
}
