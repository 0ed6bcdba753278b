// Lists of many items: npm run bench:lists [-- items [sqlite | postgres]]. Writes bench/results/lists.md for a million.
// Measured is a page with all that belongs to its items, without HTTP.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import { createItemStore } from '../src/domains/items/item.store.ts';
import type { ItemFilter } from '../src/domains/items/item-conditions.store.ts';
import { createItemListStore, type PageRequest } from '../src/domains/items/item-list.store.ts';
import { createModelStore } from '../src/domains/models/model.store.ts';
import { createFiguresStore } from '../src/domains/system/figures.store.ts';
import type { Db } from '../src/storage/database.ts';
import { type Backend, backendsHere, openTestDatabase, stopTestPostgres } from '../test/support/backends.ts';
import { newModel } from '../test/support/rows.ts';

const itemCount = Number(process.argv[2] ?? 1_000_000);
const readings = 100;
/** A slow list is read less often. */
const mostMs = 10_000;
/** Milliseconds at the 99th percentile. */
const limits = { first: 60, deep: 200 };
const modelId = 'm1';
const itemsADay = 20_000;
const itemsAMoment = 2000;

const timeOf = (moment: number): string => new Date(Date.UTC(2026, 0, 1) + moment * 8_640_000).toISOString();

/** One item in twenty is for training; one verdict in fifty is NG; a person has looked at one item in ten. Three items in four are of the first product. */
async function fill(db: Db, backend: Backend): Promise<void> {
  await db.insertInto('models').values(newModel(modelId)).execute();
  for (let from = 0; from < itemCount; from += itemsAMoment) {
    const to = Math.min(from + itemsAMoment, itemCount);
    const numbers: RawBuilder<unknown> = sql`with recursive n(i) as
      (select ${sql.lit(from)} union all select i + 1 from n where i + 1 < ${sql.lit(to)})`;
    const score = sql`'0.' || (100000 + (cast(i as bigint) * 7919) % 900000)`;
    const name = sql`'Lot-' || (i / ${sql.lit(itemsADay)}) || ' image ' || i`;
    await db.transaction().execute(async (trx) => {
      await sql`${numbers} insert into items (item_id, name, folded_name, status, active, is_training, user_result, created_at, target_id)
        select 'item-' || i, ${name}, upper(${name}), 'done', 1, case when i % 20 = 0 then 1 else 0 end,
          case when i % 10 = 3 then (case when i % 50 = 3 then 'NG' else 'OK' end) end, ${timeOf(from / itemsAMoment)},
          case when i % 4 = 1 then 2 else 1 end
        from n`.execute(trx);
      await sql`${numbers} insert into item_images (item_id, position, name, blob, format, width, height, file_size)
        select 'item-' || i, 0, 'image.jpg', 'blob-' || i, 'jpeg', 1024, 1024, 200000 from n`.execute(trx);
      await sql`${numbers} insert into assessments (item_id, model_id, result, label, anomaly_score, raw_score,
        threshold, detected_objects, detection_accuracy, predicted_at, duration_ms)
        select 'item-' || i, ${modelId}, case when i % 50 = 1 then 'NG' else 'OK' end, 'good', ${score}, 1, 0.5, 0, 90,
          '2026-01-01T00:00:00.000Z', 20 from n where i % 20 <> 0`.execute(trx);
      await sql`${numbers} insert into assessment_images (item_id, model_id, position, result, label, anomaly_score,
        raw_score, detected_objects, detection_accuracy, defect_area, regions, duration_ms)
        select 'item-' || i, ${modelId}, 0, 'OK', 'good', '0.1', 1, 0, 90, 0, '[]', 20 from n where i % 20 <> 0`.execute(
        trx,
      );
    });
  }
  // As the database itself does it now and then; a gigabyte would else be written in the middle of the readings.
  if (backend === 'postgres') await sql`vacuum analyze`.execute(db);
  await sql.raw(backend === 'postgres' ? 'checkpoint' : 'pragma wal_checkpoint(truncate)').execute(db);
  execFileSync('sync');
}

type Listed = ItemFilter & Pick<PageRequest, 'sort'>;

const lists: Listed[] = [
  { item_type: 'prediction' },
  { item_type: 'training' },
  { item_type: 'prediction', model_id: modelId },
  { item_type: 'prediction', model_id: modelId, result: 'NG' },
  { item_type: 'prediction', result: 'OK', user_result: 'NG' },
  { item_type: 'prediction', model_id: modelId, disagrees: true },
  { item_type: 'prediction', status: 'failed' },
  { item_type: 'prediction', from: timeOf(200), until: timeOf(210) },
  { item_type: 'prediction', model_id: modelId, result: 'NG', from: timeOf(5), until: timeOf(9000) },
];
const products: Listed[] = [
  { item_type: 'prediction', target_id: 1 },
  { item_type: 'prediction', target_id: 2 },
  { item_type: 'training', target_id: 1 },
  { item_type: 'prediction', target_id: 1, result: 'NG' },
  { item_type: 'prediction', target_id: 1, user_result: 'none' },
  { item_type: 'prediction', target_id: 2, disagrees: true },
  { item_type: 'prediction', target_id: 1, status: 'failed' },
  { item_type: 'prediction', target_id: 1, from: timeOf(200), until: timeOf(210) },
  { item_type: 'prediction', target_id: 1, name: 'image 99999' },
  { item_type: 'prediction', target_id: 1, name: 'image' },
  { item_type: 'prediction', target_id: 2, name: 'lot-7 ' },
  { item_type: 'prediction', target_id: 1, name: 'no such name' },
  { item_type: 'training', target_id: 1, name: 'image 5' },
];
/** Of a model and a product. */
const ofBoth: Listed[] = [
  { item_type: 'prediction', target_id: 1, model_id: modelId },
  { item_type: 'prediction', target_id: 2, model_id: modelId, result: 'NG', user_result: 'none' },
  { item_type: 'prediction', target_id: 1, model_id: modelId, disagrees: true },
  { item_type: 'prediction', target_id: 1, model_id: modelId, name: 'lot-7 ' },
  { item_type: 'prediction', target_id: 1, model_id: modelId, from: timeOf(200), until: timeOf(210) },
  { item_type: 'prediction', target_id: 2, model_id: modelId, sort: 'score' },
  { item_type: 'prediction', target_id: 2, model_id: modelId, sort: 'nearness' },
];
const sorted: Listed[] = (['score', 'nearness'] as const).flatMap((sort) => [
  { item_type: 'prediction', model_id: modelId, sort },
  { item_type: 'prediction', model_id: modelId, result: 'NG', user_result: 'none', sort },
  { item_type: 'prediction', model_id: modelId, disagrees: true, sort },
  { item_type: 'prediction', model_id: modelId, from: timeOf(200), until: timeOf(210), sort },
  { item_type: 'prediction', model_id: modelId, name: 'lot-7 ', sort },
]);
/** Counted when they are asked for: most of a million items are in them. */
const longTimes: Listed[] = [
  { item_type: 'prediction', from: timeOf(52), until: timeOf(447) },
  { item_type: 'prediction', model_id: modelId, from: timeOf(5), until: timeOf(9000) },
];
const searches: Listed[] = [
  { item_type: 'prediction', name: 'image 99999' },
  { item_type: 'prediction', name: 'image' },
  { item_type: 'prediction', name: 'lot-7 ' },
  { item_type: 'prediction', model_id: modelId, name: 'LOT-23' },
  { item_type: 'prediction', model_id: modelId, result: 'NG', name: '7' },
  { item_type: 'prediction', name: 'no such name' },
  { item_type: 'prediction', name: 'xy' },
  { item_type: 'prediction', name: '12', from: timeOf(52), until: timeOf(447) },
  { item_type: 'training', name: 'image 5' },
];

interface Measured {
  readonly what: string;
  readonly limit: number;
  readonly p50: number;
  readonly p99: number;
}

async function measure(what: string, limit: number, work: () => Promise<unknown>): Promise<Measured> {
  // Compiled code and a warm cache, as in a service that runs.
  for (let round = 0; round < 5; round++) await work();
  const times: number[] = [];
  const began = performance.now();
  while (times.length < readings && (times.length < 10 || performance.now() - began < mostMs)) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  const measured = { what, limit, p50: at(0.5), p99: at(0.99) };
  console.log(lineOf(measured));
  return measured;
}

const lineOf = ({ what, limit, p50, p99 }: Measured): string =>
  `| ${what} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${limit}${p99 <= limit ? '' : ' – over'} |`;

async function measureLists(db: Db): Promise<Measured[]> {
  const store = createItemListStore(db);
  const details = createItemStore(db);
  const count = 20;
  const read = async ({ sort, ...filter }: Listed, request: PageRequest) =>
    details.getDetails((await store.listItems(filter, { ...request, sort, threshold: 0.5 })).items);
  const measured: Measured[] = [];
  const add = async (what: string, limit: number, work: () => Promise<unknown>) => {
    measured.push(await measure(what, limit, work));
  };
  for (const filter of [...lists, ...products, ...ofBoth, ...sorted, ...longTimes, ...searches]) {
    const name = `\`${JSON.stringify(filter)}\``;
    const first = longTimes.includes(filter) ? limits.deep : limits.first;
    const { sort, ...conditions } = filter;
    const { total, next } = await store.listItems(conditions, { count, sort, threshold: 0.5 });
    const last = Math.max(1, Math.ceil(total / count));
    await add(`${name}, page 1 of ${last}`, first, () => read(filter, { count }));
    if (next) await add(`${name}, \`after\` the first page`, first, () => read(filter, { count, after: next }));
    for (const page of new Set([Math.ceil(last / 2), last])) {
      if (page > 1) await add(`${name}, page ${page}`, limits.deep, () => read(filter, { count, page }));
    }
  }
  await add('counts of the overview', limits.first, () => createFiguresStore(db).countKinds());
  await add('counts of the overview, one product', limits.first, () => createFiguresStore(db).countKinds(1));
  await add('verdicts of a model', limits.first, () => createModelStore(db).countVerdicts([modelId]));
  return measured;
}

const text = [
  `# Lists of ${itemCount.toLocaleString('en')} items`,
  '',
  `\`npm run bench:lists\`, ${readings} readings each, fewer of lists that take more than ${mostMs / readings} ms, in milliseconds; ${cpus()[0]?.model}, ${availableParallelism()} cores.`,
  'A page of 20 with all that belongs to its items, without HTTP. The first page, the page after it by `after`, the middle and the last page.',
];
let held = true;
for (const backend of backendsHere.filter((one) => process.argv[3] === undefined || one === process.argv[3])) {
  const { db, close } = await openTestDatabase(backend);
  const started = performance.now();
  await fill(db, backend);
  console.log(`${backend}: ${itemCount} items stored in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const before = loadavg();
  const measured = await measureLists(db);
  held &&= measured.every(({ p99, limit }) => p99 <= limit);
  const name = backend === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  const load = `Other work on the machine: load average ${before[0]?.toFixed(1)} at the start, ${loadavg()[0]?.toFixed(1)} at the end.`;
  text.push(
    '',
    `## ${name}`,
    '',
    load,
    '',
    '| List | p50 | p99 | limit |',
    '|---|---|---|---|',
    ...measured.map(lineOf),
  );
  await close();
}
await stopTestPostgres();
if (itemCount >= 1_000_000) writeFileSync(new URL('results/lists.md', import.meta.url), `${text.join('\n')}\n`);
process.exitCode = held ? 0 : 1;
