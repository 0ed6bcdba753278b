import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One training and test of the table. */
export interface PlannedRow {
  readonly set: string;
  readonly algorithm: string;
  readonly backbone: string;
  /** The first so many training images; absent: all. */
  readonly trainLimit?: number;
  /** Share of defects among the training images; `aside`: the same defects only taken out of the test. */
  readonly dirty?: { readonly share: number; readonly aside: boolean };
  /** Seed of the training; absent: the default, 0. */
  readonly seed?: number;
  /** Defects that are annotated and learned from: a number, or below 1 a share of all. The others are the test's. */
  readonly labelled?: number;
  /** Absent: the default. */
  readonly imageSize?: number;
}

export interface AccuracyFilter {
  readonly sets?: readonly string[];
  readonly algorithms?: readonly string[];
  readonly backbones: readonly string[];
  /** 0 stands for all images. */
  readonly trainLimits: readonly number[];
  readonly dirty: readonly number[];
  /** 0 stands for the default. */
  readonly seeds: readonly number[];
  readonly labelled: readonly number[];
  /** Absent: the default. */
  readonly imageSize?: number;
}

/** Sets with folders of good and defective images. Defaults are chosen by the mean over all nine. */
export const GOOD_SETS = [
  'bottle',
  'cookie',
  'hazelnut_toy',
  'magnetic_tile',
  'screw',
  'casting',
  'wood',
  'ball_screw',
  'tire',
] as const;
/** A set with rectangles instead. */
export const BOX_SET = 'deeppcb';
export const ANOMALY = ['patchcore', 'padim', 'subspace'];
export const SUPERVISED = ['defect-classifier', 'defect-detector'];

/** What labelled defects are measured with: PatchCore takes its threshold from them, the classifier learns them as well. */
const LABELLED = ['patchcore', 'defect-classifier'];

/** A share of dirt gives two rows to compare: without the drawn defects, and with them among the good images. */
function variants({ trainLimits, dirty, seeds }: AccuracyFilter): Omit<PlannedRow, 'set' | 'algorithm' | 'backbone'>[] {
  if (dirty.length > 0)
    return dirty.flatMap((share) => [{ dirty: { share, aside: true } }, { dirty: { share, aside: false } }]);
  return trainLimits.flatMap((trainLimit) =>
    seeds.map((seed) => ({ ...(trainLimit > 0 ? { trainLimit } : {}), ...(seed > 0 ? { seed } : {}) })),
  );
}

function countDefects(folder: string): number {
  const kinds = readdirSync(join(folder, 'test')).filter((kind) => kind !== 'good');
  return kinds.reduce((sum, kind) => sum + readdirSync(join(folder, 'test', kind)).length, 0);
}

/** Each set with each number of labelled defects that leaves at least as many to test with. */
function labelledRows(filter: AccuracyFilter, sets: readonly string[], dataFolder: string): PlannedRow[] {
  const algorithms = LABELLED.filter((algorithm) => filter.algorithms?.includes(algorithm) ?? true);
  return sets.flatMap((set) => {
    const half = countDefects(join(dataFolder, set)) / 2;
    return filter.labelled
      .filter((labelled) => labelled <= half)
      .flatMap((labelled) =>
        algorithms.flatMap((algorithm) => filter.backbones.map((backbone) => ({ set, algorithm, backbone, labelled }))),
      );
  });
}

/** Anomaly algorithms on sets of good images, supervised ones on the set with rectangles, each with each network. */
export function planRows(filter: AccuracyFilter, dataFolder: string): PlannedRow[] {
  const wanted = (list: readonly string[] | undefined, name: string): boolean => list?.includes(name) ?? true;
  const sets = [...GOOD_SETS, BOX_SET].filter((set) => wanted(filter.sets, set) && existsSync(join(dataFolder, set)));
  const { imageSize } = filter;
  if (filter.labelled.length > 0) {
    const masked = sets.filter((set) => set !== BOX_SET);
    return labelledRows(filter, masked, dataFolder);
  }
  return sets.flatMap((set) =>
    (set === BOX_SET ? SUPERVISED : ANOMALY)
      .filter((algorithm) => wanted(filter.algorithms, algorithm))
      .flatMap((algorithm) => filter.backbones.map((backbone) => ({ set, algorithm, backbone })))
      .flatMap((row) =>
        set === BOX_SET
          ? [row]
          : variants(filter).map((variant) => ({ ...row, ...variant, ...(imageSize ? { imageSize } : {}) })),
      ),
  );
}

export function rowKey(row: PlannedRow): string {
  const { set, algorithm, backbone, trainLimit, dirty, seed, labelled, imageSize } = row;
  const dirt = dirty ? `${dirty.share}${dirty.aside ? ' aside' : ''}` : 0;
  const more = [
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(labelled === undefined ? [] : [`labelled ${labelled}`]),
    ...(imageSize === undefined ? [] : [`size ${imageSize}`]),
  ];
  return [set, algorithm, backbone, trainLimit ?? 'all', dirt, ...more].join('|');
}
