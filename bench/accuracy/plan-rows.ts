import { existsSync } from 'node:fs';
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

/** A share of dirt gives two rows to compare: without the drawn defects, and with them among the good images. */
function variants({ trainLimits, dirty, seeds }: AccuracyFilter): Omit<PlannedRow, 'set' | 'algorithm' | 'backbone'>[] {
  if (dirty.length > 0)
    return dirty.flatMap((share) => [{ dirty: { share, aside: true } }, { dirty: { share, aside: false } }]);
  return trainLimits.flatMap((trainLimit) =>
    seeds.map((seed) => ({ ...(trainLimit > 0 ? { trainLimit } : {}), ...(seed > 0 ? { seed } : {}) })),
  );
}

/** Anomaly algorithms on sets of good images, supervised ones on the set with rectangles, each with each network. */
export function planRows(filter: AccuracyFilter, dataFolder: string): PlannedRow[] {
  const wanted = (list: readonly string[] | undefined, name: string): boolean => list?.includes(name) ?? true;
  const sets = [...GOOD_SETS, BOX_SET].filter((set) => wanted(filter.sets, set) && existsSync(join(dataFolder, set)));
  return sets.flatMap((set) =>
    (set === BOX_SET ? SUPERVISED : ANOMALY)
      .filter((algorithm) => wanted(filter.algorithms, algorithm))
      .flatMap((algorithm) => filter.backbones.map((backbone) => ({ set, algorithm, backbone })))
      .flatMap((row) => (set === BOX_SET ? [row] : variants(filter).map((variant) => ({ ...row, ...variant })))),
  );
}

export function rowKey({ set, algorithm, backbone, trainLimit, dirty, seed }: PlannedRow): string {
  const dirt = dirty ? `${dirty.share}${dirty.aside ? ' aside' : ''}` : 0;
  return [set, algorithm, backbone, trainLimit ?? 'all', dirt, ...(seed === undefined ? [] : [`seed ${seed}`])].join(
    '|',
  );
}
