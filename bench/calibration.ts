// Measures whether automatic thresholds keep the false-alarm rate that was asked for: npm run bench:calibration --
// [--data FOLDER] [--sets a,b] [--algorithm ID] [--backbone ID] [--splits 4] [--train N]. Shuffles all good images of a
// set, those of its test too, trains on a part and scores the others. Writes a Markdown table.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openAlgorithm } from '../src/cli/command-options.ts';
import { readDatasetFolder } from '../src/cli/dataset-folder.ts';
import { highestScore, inspectMap, NO_MARGINS } from '../src/vision/anomaly-map/inspected-map.ts';
import { decodeImage } from '../src/vision/image/decode-image.ts';
import { prepareNothing } from '../src/vision/inspection/open-inspector.ts';
import { createRandom, sampleIndices } from '../src/vision/math/random.ts';
import { conformalThreshold, SHARED_BY_BANK } from '../src/vision/training/thresholds.ts';
import type { TrainingSample } from '../src/vision/types.ts';
import { GOOD_SETS } from './accuracy/plan-rows.ts';
import { wilsonInterval } from './calibration/wilson-interval.ts';

const RATES = [0.01, 0.05, 0.1];
/** Number of defects that are scored. */
const DEFECTS = 130;
const TRAIN_SHARE = 0.8;

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string' },
    algorithm: { type: 'string', default: 'patchcore' },
    backbone: { type: 'string', default: 'auto' },
    splits: { type: 'string', default: '4' },
    train: { type: 'string' },
  },
});
const data =
  flags.data ?? process.env['KENSA_BENCH_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
const {
  algorithm,
  values: params,
  backbone,
} = await openAlgorithm({
  algorithm: flags.algorithm,
  param: [`backbone=${flags.backbone}`],
});

const toSample = (path: string): TrainingSample => ({
  itemId: path,
  name: path,
  good: true,
  regions: [],
  load: async () => prepareNothing(await decodeImage(await readFile(path))),
});

interface Split {
  /** Held-out scores that training calibrated on. */
  readonly calibration: readonly number[];
  readonly good: readonly number[];
  readonly defect: readonly number[];
}

async function scoreSplit(
  train: readonly string[],
  good: readonly string[],
  defect: readonly string[],
): Promise<Split> {
  const fitted = await algorithm.fit({
    samples: train.map(toSample),
    params,
    backbone,
    threads: 1,
    random: createRandom(0),
    signal: new AbortController().signal,
    report: () => {},
  });
  const predictor = await algorithm.open(fitted.payload, backbone, params);
  const score = async (path: string): Promise<number> => {
    const prepared = await toSample(path).load();
    return highestScore(inspectMap((await predictor.predict(prepared)).map, prepared, NO_MARGINS));
  };
  const goodScores: number[] = [];
  const defectScores: number[] = [];
  for (const path of good) goodScores.push(await score(path));
  for (const path of defect) defectScores.push(await score(path));
  await predictor.dispose();
  return { calibration: fitted.calibration.goodScores, good: goodScores, defect: defectScores };
}

function drawn(paths: readonly string[], count: number, seed: number): [string[], string[]] {
  const chosen = new Set(sampleIndices(paths.length, count, createRandom(seed)));
  return [paths.filter((_, index) => chosen.has(index)), paths.filter((_, index) => !chosen.has(index))];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

async function measureSet(set: string): Promise<void> {
  const folder = await readDatasetFolder(join(data, set));
  const goods = [...folder.train, ...folder.test.filter(({ good }) => good)].map(({ path }) => path);
  const bads = folder.test.filter(({ good }) => !good).map(({ path }) => path);
  const count = Number(flags.train ?? Math.round(TRAIN_SHARE * goods.length));
  const splits: Split[] = [];
  for (let seed = 0; seed < Number(flags.splits); seed++) {
    const [train, rest] = drawn(goods, count, seed);
    splits.push(await scoreSplit(train, rest, drawn(bads, DEFECTS, seed)[0]));
  }
  for (const rate of RATES) {
    let [alarms, good, escapes, defects] = [0, 0, 0, 0];
    for (const split of splits) {
      const threshold = conformalThreshold(
        split.calibration,
        rate,
        flags.algorithm === 'patchcore' ? SHARED_BY_BANK : 0,
      );
      alarms += split.good.filter((score) => score >= threshold).length;
      escapes += split.defect.filter((score) => score < threshold).length;
      good += split.good.length;
      defects += split.defect.length;
    }
    const [low, high] = wilsonInterval(alarms, good);
    const measured = `${percent(alarms / good)} (${percent(low)} – ${percent(high)})`;
    const cells = [set, count, percent(rate), `${alarms}/${good}`, measured, percent(escapes / defects)];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

if (existsSync(data)) {
  console.log(
    '| set | train | asked | false alarms | measured, with 95 % interval | escapes |\n|---|---|---|---|---|---|',
  );
  for (const set of flags.sets?.split(',') ?? GOOD_SETS) await measureSet(set);
} else {
  console.error(`There is no folder ${data} of image sets; name one with --data or KENSA_BENCH_DATA.`);
  process.exitCode = 1;
}
