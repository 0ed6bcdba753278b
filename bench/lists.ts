// Lists of many items: npm run bench:lists [-- items [sqlite | postgres]]. Time of a page with all that belongs to its items, without HTTP.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import { createItemStore } from '../src/domains/items/item.store.ts';
import { createItemListStore, type ItemFilter } from '../src/domains/items/item-list.store.ts';
import { createModelStore } from '../src/domains/models/model.store.ts';
import type { Db } from '../src/storage/database.ts';
import { rebuildListCounts } from '../src/storage/rebuild-list-counts.ts';
import { rebuildNameGrams } from '../src/storage/rebuild-name-grams.ts';
import { type Backend, backendsHere, openTestDatabase, stopTestPostgres } from '../test/support/backends.ts';
import { newAssessment, newItem, newModel } from '../test/support/rows.ts';

const itemCount = Number(process.argv[2] ?? 1_000_000);
const limitMs = 20;
/** Every list is read in each pass, so that a moment in which the machine is busy elsewhere is not counted to one list alone. */
const passes = 5;
const readingsAPass = 100;
const modelId = 'm1';

/** One item in twenty is for training; one verdict in fifty is NG; a person has looked at one item in ten. */
async function fill(db: Db, backend: Backend): Promise<void> {
  await db.insertInto('models').values(newModel(modelId)).execute();
  // Each row's triggers would take longer than all the rest; what they keep is stored with them, or computed afterwards.
  const restoreTriggers = await takeTriggers(db, backend);
  const step = itemsADay / 10;
  const series = (from: number): RawBuilder<unknown> =>
    sql`with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i + 1 < ${sql.lit(Math.min(from + step, itemCount))})`;
  for (let from = 0; from < itemCount; from += step) {
    const at = timeOf(from / step);
    await db.transaction().execute(async (trx) => {
      await sql`${series(from)} insert into items (item_id, name, status, active, is_training, verdicts, user_result, created_at)
        select 'item-' || i, 'Lot-' || (i / ${sql.lit(itemsADay)}) || ' photo ' || i, 'done', 1,
          case when i % 20 = 0 then 1 else 0 end,
          case when i % 20 = 0 then 0 when i % 50 = 1 then 2 else 1 end, case when i % 10 = 3 then (case when i % 50 = 3 then 'NG' else 'OK' end) end, ${at} from n`.execute(
        trx,
      );
      await sql`${series(from)} insert into item_images (item_id, position, name, blob, format, width, height, file_size)
        select 'item-' || i, 0, 'photo.jpg', 'blob-' || i, 'jpeg', 1024, 1024, 200000 from n`.execute(trx);
      await sql`${series(from)} insert into assessments (item_id, model_id, result, label, anomaly_score, raw_score,
        threshold, detected_objects, detection_accuracy, predicted_at, duration_ms, item_seq, facet)
        select 'item-' || i, ${modelId}, case when i % 50 = 1 then 'NG' else 'OK' end, 'good', '0.1', 1, 0.5, 0, 90,
          '2026-01-01T00:00:00.000Z', 20, i + 1,
          2 * (case when i % 10 <> 3 then 0 when i % 50 = 3 then 2 else 1 end) + 6 * (case when i % 50 = 1 then 2 else 1 end)
        from n where i % 20 <> 0`.execute(trx);
      await sql`${series(from)} insert into assessment_images (item_id, model_id, position, result, label, anomaly_score,
        raw_score, detected_objects, detection_accuracy, defect_area, regions, duration_ms)
        select 'item-' || i, ${modelId}, 0, 'OK', 'good', '0.1', 1, 0, 90, 0, '[]', 20 from n where i % 20 <> 0`.execute(
        trx,
      );
    });
  }
  if (backend === 'postgres') await sql`analyze items, assessments`.execute(db);
  const rebuild = async (what: string, work: () => Promise<void>): Promise<void> => {
    const started = performance.now();
    await work();
    console.log(`${backend}: ${what} computed anew in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  };
  await rebuild('counts', () => rebuildListCounts(db as never));
  await rebuild('parts of names', () => rebuildNameGrams(db as never));
  await restoreTriggers();
  await live(db);
  await sql.raw(backend === 'postgres' ? 'vacuum analyze' : 'analyze').execute(db);
  // A gigabyte waits to be written, which would else be done in the middle of the readings.
  await sql.raw(backend === 'postgres' ? 'checkpoint' : 'pragma wal_checkpoint(truncate)').execute(db);
  execFileSync('sync');
}

const itemsADay = 20_000;

/** A tenth of a day's items came at the same moment. */
const timeOf = (tenths: number): string => new Date(Date.UTC(2026, 0, 1) + tenths * 8_640_000).toISOString();

const counted = ['items', 'assessments'] as const;

/** @returns what puts them back. */
async function takeTriggers(db: Db, backend: Backend): Promise<() => Promise<void>> {
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  if (backend === 'postgres') {
    await run(counted.map((table) => `alter table ${table} disable trigger user`));
    return () => run(counted.map((table) => `alter table ${table} enable trigger user`));
  }
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_master
    where type = 'trigger' and tbl_name in (${sql.join(counted)})`.execute(db);
  await run(rows.map(({ name }) => `drop trigger ${name}`));
  return () => run(rows.map((trigger) => trigger.sql));
}

/** The newest items come and are judged one by one, as in a plant, so that the counts are as the triggers leave them. */
async function live(db: Db): Promise<void> {
  const started = performance.now();
  for (let index = 0; index < liveItems; index++) {
    const item = {
      ...newItem(`live-${index}`, { training: false, person: index % 10 === 0 ? 'OK' : null }),
      created_at: timeOf((itemCount / itemsADay) * 10 + index / 100),
    };
    await db.insertInto('items').values(item).execute();
    await db
      .insertInto('assessments')
      .values(newAssessment(item.item_id, modelId, 'OK'))
      .execute();
  }
  console.log(
    `items stored with their verdict, one by one: ${((liveItems / (performance.now() - started)) * 1000).toFixed(0)} a second`,
  );
}

const liveItems = 3000;

interface Readings {
  readonly times: number[];
  cpu: number;
}

async function read(work: () => Promise<unknown>, { times, cpu }: Readings): Promise<Readings> {
  // Compiled code and a warm cache, as in a service that runs.
  for (let round = 0; round < 10; round++) await work();
  const before = process.cpuUsage();
  for (let round = 0; round < readingsAPass; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  return { times, cpu: cpu + (user + system) / 1000 };
}

/** Milliseconds. */
function summarize({ times, cpu }: Readings): { p50: number; p99: number; cpu: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), cpu: cpu / sorted.length };
}

const lists: ItemFilter[] = [
  { item_type: 'prediction' },
  { item_type: 'training' },
  { item_type: 'prediction', model_id: modelId },
  { item_type: 'prediction', model_id: modelId, result: 'NG' },
  { item_type: 'prediction', result: 'OK', user_result: 'NG' },
  { item_type: 'prediction', model_id: modelId, disagrees: true },
  { item_type: 'prediction', from: timeOf(200), until: timeOf(210) },
  { item_type: 'prediction', from: timeOf(52), until: timeOf(447) },
  { item_type: 'prediction', model_id: modelId, from: timeOf(5), until: timeOf(9000) },
  { item_type: 'prediction', model_id: modelId, result: 'NG', until: timeOf(9000) },
  { item_type: 'prediction', name: 'photo 99999' },
  { item_type: 'prediction', name: 'photo' },
  { item_type: 'prediction', name: 'lot-7 ' },
  { item_type: 'prediction', model_id: modelId, name: 'LOT-23' },
  { item_type: 'prediction', model_id: modelId, result: 'NG', name: '7' },
  { item_type: 'prediction', name: 'no such name' },
  { item_type: 'prediction', name: 'xy' },
  { item_type: 'prediction', name: '12', from: timeOf(52), until: timeOf(447) },
  { item_type: 'training', name: 'photo 5' },
];

async function measure(backend: Backend): Promise<boolean> {
  const { db, close } = await openTestDatabase(backend);
  try {
    const started = performance.now();
    await fill(db, backend);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const readings = passes * readingsAPass;
    console.log(
      `\n${backend}: ${itemCount} items, stored in ${seconds} s; ${readings} readings each in ${passes} passes, limit ${limitMs} ms at p99`,
    );
    const works = new Map<string, () => Promise<unknown>>([[machine, async () => randomBytes(5_000_000)]]);
    for (const filter of lists) await addPages(works, db, filter);
    works.set('counts of verdicts of a model', () => createModelStore(db).countVerdicts([modelId]));
    const taken = new Map<string, Readings>();
    const before = readTicks();
    for (let pass = 0; pass < passes; pass++)
      for (const [name, work] of works) taken.set(name, await read(work, taken.get(name) ?? { times: [], cpu: 0 }));
    const after = readTicks();
    const stolen = (100 * (after.stolen - before.stolen)) / (after.all - before.all);
    console.log(`  of the processors' time, the host gave ${stolen.toFixed(1)} % to others`);
    return [...taken].map(([name, readings]) => report(name, summarize(readings))).every((held) => held);
  } finally {
    await close();
  }
}

/** What the machine itself adds: the same time of pure computation, again and again. No limit holds for it. */
const machine = `machine alone, the same computation, ${availableParallelism()} cores`;

/** Of all processors, since the system started; none where it does not say, as outside Linux. */
function readTicks(): { all: number; stolen: number } {
  try {
    const ticks = readFileSync('/proc/stat', 'utf8').split('\n', 1).join().split(/\s+/).slice(1, 9).map(Number);
    return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
  } catch {
    return { all: Number.NaN, stolen: Number.NaN };
  }
}

/** The first page of a list, the middle one and the last. */
async function addPages(works: Map<string, () => Promise<unknown>>, db: Db, filter: ItemFilter): Promise<void> {
  const store = createItemListStore(db);
  const details = createItemStore(db);
  const count = 20;
  const { total } = await store.listItems(filter, 1, count);
  const last = Math.max(1, Math.ceil(total / count));
  for (const page of new Set([1, Math.ceil(last / 2), last])) {
    const name = `${JSON.stringify(filter)} page ${page} of ${last}`;
    works.set(name, async () => details.getDetails((await store.listItems(filter, page, count)).items));
  }
}

/** @returns whether the limit holds. */
function report(name: string, { p50, p99, cpu }: { p50: number; p99: number; cpu: number }): boolean {
  const held = name === machine || p99 <= limitMs;
  const [p50Text, p99Text, cpuText] = [p50, p99, cpu].map((ms) => ms.toFixed(1).padStart(6));
  console.log(`  ${held ? 'ok  ' : 'OVER'} p50 ${p50Text}  p99 ${p99Text}  own cpu ${cpuText}  ${name}`);
  return held;
}

let good = true;
for (const backend of backendsHere.filter((one) => process.argv[3] === undefined || one === process.argv[3]))
  good = (await measure(backend)) && good;
await stopTestPostgres();
process.exitCode = good ? 0 : 1;
