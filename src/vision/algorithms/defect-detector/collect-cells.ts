import { toPreparedRegions } from '../../components/labelled-regions.ts';
import { loadAhead } from '../../components/load-ahead.ts';
import type { PatchExtractor } from '../../features/patch-extractor.ts';
import { turnImage } from '../../image/turn-image.ts';
import { sampleIndices } from '../../math/sample-indices.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import type { PreparedImage, Random, TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { cellInputs } from './cell-inputs.ts';
import { type CellTarget, cellTargets } from './cell-targets.ts';
import { turnRegion } from './turn-region.ts';

/** Some cells of one item, to learn from. */
export interface CellSet {
  readonly itemId: string;
  /** [cells, inputs] */
  readonly inputs: Matrix;
  /** In the order of the inputs; never `ignored`. */
  readonly targets: readonly CellTarget[];
}

/** Cells over all images, of each role: bounds the memory. */
const BUDGETS = { defect: 20_000, near: 10_000, good: 25_000 };
const FEWEST = 16;

export interface CellOptions {
  readonly rotations: boolean;
  readonly flips: boolean;
  readonly random: Random;
  readonly signal: AbortSignal;
  report(done: number, total: number): void;
}

const turnsOf = ({ rotations, flips }: CellOptions) =>
  (rotations ? ([0, 1, 2, 3] as const) : ([0] as const)).flatMap((turn) =>
    (flips ? [false, true] : [false]).map((mirrored) => [turn, mirrored] as const),
  );

function chooseCells(targets: readonly CellTarget[], images: number, random: Random): number[] {
  return (['defect', 'near', 'good'] as const).flatMap((role) => {
    const cells = [...targets.keys()].filter((cell) => targets[cell]?.role === role);
    const quota = Math.max(FEWEST, Math.ceil(BUDGETS[role] / images));
    return [...sampleIndices(cells.length, quota, random)].flatMap((index) => cells[index] ?? []);
  });
}

/** Cells of the image and, where asked, of its turned and mirrored copies. */
async function cellsOf(
  sample: TrainingSample,
  prepared: PreparedImage,
  extractor: PatchExtractor,
  images: number,
  options: CellOptions,
): Promise<CellSet[]> {
  const { image } = prepared;
  const regions = toPreparedRegions(sample.regions, prepared);
  const sets: CellSet[] = [];
  // Turned copies teach defects; of good images there is enough without them.
  for (const [turn, mirrored] of sample.good ? [[0, false] as const] : turnsOf(options)) {
    throwIfCancelled(options.signal);
    const turned = turn === 0 && !mirrored ? image : turnImage(image, turn, mirrored);
    const features = await extractor.extract(turned);
    const { rows, columns } = features;
    const grid = { rows, columns, width: turned.width, height: turned.height };
    const targets = cellTargets(
      regions.map((region) => turnRegion(region, turn, mirrored, image)),
      grid,
    );
    const cells = chooseCells(targets, images, options.random);
    const inputs = cellInputs(features, cells);
    sets.push({ itemId: sample.itemId, inputs, targets: cells.flatMap((cell) => targets[cell] ?? []) });
  }
  return sets;
}

/**
 * Some cells of every sample. An NG sample without rectangles teaches nothing, because its defects may lie anywhere.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function collectCells(
  samples: readonly TrainingSample[],
  extractor: PatchExtractor,
  options: CellOptions,
): Promise<CellSet[]> {
  const taught = samples.filter((sample) => sample.good || sample.regions.length > 0);
  const turned = taught.filter((sample) => !sample.good).length * turnsOf(options).length;
  const images = Math.max(1, turned, taught.length / 2);
  const sets: CellSet[] = [];
  let done = 0;
  for await (const prepared of loadAhead(taught)) {
    const sample = taught[done];
    if (!sample) break;
    throwIfCancelled(options.signal);
    sets.push(...(await cellsOf(sample, prepared, extractor, images, options)));
    options.report(++done, taught.length);
  }
  return sets;
}
