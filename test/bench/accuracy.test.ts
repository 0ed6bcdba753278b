import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { borrowNetworks } from '../../bench/accuracy/borrow-networks.ts';
import { type PlannedRow, planRows, rowKey } from '../../bench/accuracy/plan-rows.ts';
import { renderResults } from '../../bench/accuracy/render-results.ts';
import { isMeasured, type MeasuredRow, readResults, withRow, writeResults } from '../../bench/accuracy/results-file.ts';

const stamp = { network: 'abc', version: '1/1' };
const bottle: PlannedRow = { set: 'bottle', algorithm: 'patchcore', backbone: 'kensa' };

function measured(row: PlannedRow, auroc: number, ms: number, more: object = {}): MeasuredRow {
  const report = {
    dataset: row.set,
    algorithm: row.algorithm,
    params: { backbone: row.backbone },
    train_images: 209,
    left_out: 1,
    doubtful: 0,
    test_good: 20,
    test_defect: 63,
    image_auroc: auroc,
    image_ap: 1,
    pixel_auroc: null,
    pixel_pro: null,
    f1_max: 1,
    at_threshold: { false_alarms: 2, escapes: 3 },
    train_seconds: 8,
    ms_stages: {},
    ms_per_image: { p50: ms, p95: ms },
    peak_rss_mb: 500,
    model_mb: 1.3,
    ...more,
  };
  return { row, stamp, date: '2026-11-21', machine: 'two cores', load: 0, report };
}

describe('bench:accuracy', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-accuracy-'));
    for (const set of ['bottle', 'cookie', 'deeppcb']) await mkdir(join(folder, 'data', set), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('plans every set that is there with its algorithms, and what the filters leave', () => {
    const all = { backbones: ['kensa', 'own'], trainLimits: [0], dirty: [], seeds: [0], labelled: [] };
    const rows = planRows(all, join(folder, 'data'));
    expect(rows).toHaveLength(2 * 3 * 2 + 2 * 2);
    expect(new Set(rows.map(rowKey)).size).toBe(rows.length);
    const some = { ...all, sets: ['bottle'], algorithms: ['patchcore'], backbones: ['kensa'] };
    expect(planRows({ ...some, trainLimits: [1, 0] }, join(folder, 'data'))).toEqual([
      { ...bottle, trainLimit: 1 },
      bottle,
    ]);
    expect(planRows({ ...some, dirty: [0.05] }, join(folder, 'data'))).toEqual([
      { ...bottle, dirty: { share: 0.05, aside: true } },
      { ...bottle, dirty: { share: 0.05, aside: false } },
    ]);
    expect(planRows({ ...some, seeds: [0, 3] }, join(folder, 'data'))).toEqual([bottle, { ...bottle, seed: 3 }]);
    expect(planRows({ ...some, imageSize: 256 }, join(folder, 'data'))).toEqual([{ ...bottle, imageSize: 256 }]);
    expect(rowKey({ ...bottle, imageSize: 256 })).not.toBe(rowKey(bottle));
    expect(planRows(all, join(folder, 'nowhere'))).toEqual([]);
  });

  it('plans labelled defects where as many are left to test with', async () => {
    const data = join(folder, 'labelled');
    await mkdir(join(data, 'wood', 'test', 'good'), { recursive: true });
    await mkdir(join(data, 'wood', 'test', 'knot'), { recursive: true });
    for (let index = 0; index < 10; index++) await writeFile(join(data, 'wood', 'test', 'knot', `${index}.png`), '');
    const filter = { backbones: ['kensa'], trainLimits: [0], dirty: [], seeds: [0], labelled: [5, 6, 0.5] };
    const rows = planRows(filter, data);
    const planned = rows.map(({ algorithm, labelled }) => [algorithm, labelled]);
    expect(planned).toEqual([
      ['patchcore', 5],
      ['defect-classifier', 5],
      ['patchcore', 0.5],
      ['defect-classifier', 0.5],
    ]);
    expect(new Set(rows.map(rowKey)).size).toBe(4);
  });

  it('compares the classifier with PatchCore on the same defects', () => {
    const rows = [
      measured({ ...bottle, labelled: 5 }, 0.9, 20),
      measured({ ...bottle, labelled: 5, algorithm: 'defect-classifier' }, 1, 20, {
        labelled: { defects: 5, right_class: 0.75 },
        at_threshold: { false_alarms: 1, escapes: 0 },
      }),
    ];
    const page = renderResults(rows);
    expect(page).toContain('| mean of 1 | 5 | 0.9000 | 10.0 %, 4.8 % | 1.0000 | 5.0 %, 0.0 % |  |');
    expect(page).toContain('| bottle | 5 | 0.9000 | 2/20, 3/63 | 1.0000 | 1/20, 0/63 | 75.0 % |');
    expect(page).not.toContain('1 of 9');
  });

  it('keeps what was measured with the same network and version, and replaces the rest', async () => {
    const path = join(folder, 'results', 'accuracy.json');
    expect(await readResults(path)).toEqual([]);
    await writeResults(path, [measured(bottle, 0.9, 50)]);
    const rows = await readResults(path);
    expect(isMeasured(rows, bottle, stamp)).toBe(true);
    expect(isMeasured(rows, { ...bottle, trainLimit: 5 }, stamp)).toBe(false);
    expect(isMeasured(rows, bottle, { ...stamp, network: 'new' })).toBe(false);
    expect(isMeasured(rows, bottle, { ...stamp, version: '1/2' })).toBe(false);
    const replaced = withRow(rows, measured(bottle, 0.95, 50));
    expect(replaced.map(({ report }) => report.image_auroc)).toEqual([0.95]);
    await writeFile(path, 'not JSON');
    await expect(readResults(path)).rejects.toThrow(SyntaxError);
  });

  it('compares the networks, few images and dirty training', () => {
    const dirty = (aside: boolean) => ({ ...bottle, dirty: { share: 0.05, aside } });
    const page = renderResults([
      measured({ ...bottle, backbone: 'resnet50v2_layers123', imageSize: 256 }, 0.99, 110),
      measured(bottle, 1, 20),
      measured({ ...bottle, seed: 1 }, 0.98, 40),
      measured({ ...bottle, trainLimit: 10 }, 0.98, 20),
      measured(dirty(true), 0.999, 20),
      measured(dirty(false), 0.998, 20, { dirt: { mixed_in: 11, named: 9, good_named: 1 } }),
    ]);
    expect(page).toContain(
      '| bottle | kensa | 0.9900 (0.9800 to 1.0000, 2 seeds) | 0.9900 | 3/63 | 3/63 | 20 / 20 | 110 / 110 | 5.5 |',
    );
    expect(page).toContain('| patchcore | kensa | 1 of 9 | 1.0000 | 1.0000 | – | – | 2/20 | 3/63 |');
    expect(page).toContain('| bottle | patchcore | kensa | 0.9800 (2, 3) | 1.0000 (2, 3) |');
    expect(page).toContain('| bottle | patchcore | kensa | 5 % | 0.9990 | 0.9980 | 0.0010 | 9/11 | 1 (clean: 1) |');
  });

  it('puts the mean of regions against masks first, over the sets that have masks', () => {
    const withBoxes = (median_iou: number) => ({
      boxes: {
        median_iou,
        median_iou_largest: 0.7,
        share_covered: 0.9,
        median_outline_iou: 0.4,
        regions_per_image: 1,
      },
    });
    const cookie = measured({ ...bottle, set: 'cookie' }, 1, 20, withBoxes(0.25));
    const page = renderResults([
      cookie,
      measured(bottle, 1, 20, withBoxes(0.75)),
      measured({ ...bottle, set: 'screw' }, 1, 20),
    ]);
    const [first, second] = page.split('regions an image |')[1]!.split('\n').slice(2);
    expect(first).toBe('| mean of 2 | patchcore | kensa | 0.50 | 0.70 | 0.90 | 0.40 | 1.00 |');
    expect(second).toBe('| bottle | patchcore | kensa | 0.75 | 0.70 | 0.90 | 0.40 | 1.00 |');
    expect(renderResults([measured(bottle, 1, 20)])).not.toContain('Regions against masks');
  });

  it('borrows networks with the description beside them or one of ours, and leaves others', async () => {
    const networks = join(folder, 'networks');
    await mkdir(networks);
    for (const name of ['own.onnx', 'resnet50v2_layers123.onnx', 'unknown.onnx'])
      await writeFile(join(networks, name), '');
    await writeFile(join(networks, 'own.json'), '{}');
    const borrowed = await borrowNetworks(networks);
    expect(borrowed.names).toEqual(['own', 'resnet50v2_layers123']);
    const description = await readFile(join(borrowed.folder, 'resnet50v2_layers123.json'), 'utf8');
    expect(JSON.parse(description)).toMatchObject({ input: 'data', outputs: ['layer2', 'layer3'] });
    await rm(borrowed.folder, { recursive: true });
  });
});
