import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../storage/database.ts';
import { generateCsv } from './results.service.ts';
import { createResultsStore } from './results.store.ts';

const rowCount = 100_000;
let db: Db;
let close: () => Promise<void>;

const open = (modelIds?: string[]) => generateCsv(createResultsStore(db), modelIds);

async function readAll(pieces: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Items 1 to `rowCount` with one image each, assessed by model a; every tenth by model b too. */
async function fill(): Promise<void> {
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rowCount)})`;
  const at = sql.lit('2026-11-21T00:00:00.000Z');
  for (const id of ['a', 'b']) {
    await sql`insert into models (model_id, name, algorithm_id, algorithm_type, version, context_id, status, status_text,
      active, params, steps, step_references, seed, ok_img_count, ng_img_count, threshold, ignore_outer,
      min_detected_area, created_at, updated_at)
      values (${id}, ${`=cmd(${id})`}, 'patchcore', 'anomaly_detection', 1, 1, 'ready', '', 0, '{}', '[]', '{}', 0, 1, 0,
      0.5, 'none', 0, ${at}, ${at})`.execute(db);
  }
  await sql`${numbers} insert into items (item_id, name, status, active, is_training, user_result, created_at, serial, fields)
    select 'item-' || i, '部品 "' || i || '", left', 'done', 1, 0, case when i % 2 = 0 then 'NG' end, ${at},
      case when i = 10 then 'S-10' end, case when i = 10 then '{"shift":"2"}' end from n`.execute(db);
  await sql`${numbers} insert into item_images (item_id, position, name, blob, format, width, height, file_size)
    select 'item-' || i, 0, 'top.png', 'x', 'png', 8, 8, 100 from n`.execute(db);
  for (const [model, step] of [
    ['a', 1],
    ['b', 10],
  ] as const) {
    await sql`${numbers} insert into assessments (item_id, model_id, result, label, anomaly_score, raw_score, threshold,
      detected_objects, detection_accuracy, predicted_at, duration_ms)
      select 'item-' || i, ${model}, 'NG', 'defect', '0.750000', 12.5, 0.5, 1, 99, ${at}, 7.25 from n
      where i % ${sql.lit(step)} = 0`.execute(db);
    await sql`${numbers} insert into assessment_images (item_id, model_id, position, result, label, anomaly_score,
      raw_score, detected_objects, detection_accuracy, defect_area, regions, duration_ms)
      select 'item-' || i, ${model}, 0, 'NG', 'defect', '0.750000', 12.5, 1, 99, 42, '[]', 7.25 from n
      where i % ${sql.lit(step)} = 0`.execute(db);
  }
}

beforeAll(async () => {
  ({ db, close } = await openTemporaryDatabase());
  await fill();
});
afterAll(() => close());

describe('openCsv', () => {
  it('writes one RFC 4180 line for each image and model, cells of formulas defused', async () => {
    const lines = (await readAll(open(['b']))).split('\r\n');
    expect(lines[0]).toBe(
      'model_id,model_name,model_version,algorithm_id,item_id,item_name,image,predicted_at,result,label,anomaly_score,' +
        'raw_score,threshold,detected_objects,detection_accuracy,user_result,agrees,defect_area,duration_ms,serial,lot,' +
        'station_id,fields,images_removed_at',
    );
    expect(lines[1]).toBe(
      `b,'=cmd(b),1,patchcore,item-10,"部品 ""10"", left",top.png,2026-11-21T00:00:00.000Z,NG,defect,0.750000,` +
        '12.5,0.5,1,99,NG,true,42,7.25,S-10,,,"{""shift"":""2""}",',
    );
    expect(lines).toHaveLength(rowCount / 10 + 2);
    expect(lines.at(-1)).toBe('');
  });

  it('leaves the verdict of a person empty without one', async () => {
    const pieces = open(['a']);
    await pieces.next();
    expect((await pieces.next()).value).toContain(',0.5,1,99,,,42,7.25');
    await pieces.return(undefined);
  });

  it('writes 110,000 rows of all models without growing memory', async () => {
    let rows = -1;
    let peak = 0;
    let largestPiece = 0;
    const before = process.memoryUsage().rss;
    for await (const piece of open()) {
      rows += piece.split('\r\n').length - 1;
      largestPiece = Math.max(largestPiece, piece.length);
      peak = Math.max(peak, process.memoryUsage().rss - before);
    }
    expect(rows).toBe(rowCount + rowCount / 10);
    expect(largestPiece).toBeLessThan(200_000);
    // The whole file has 15 MB.
    expect(peak).toBeLessThan(64 * 1024 * 1024);
  });
});
