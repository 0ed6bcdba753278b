import type { InputLayout } from '../../backbone/input-layout.ts';
import { sampleIndices } from '../../math/sample-indices.ts';
import { prefetch } from '../../onnx/prefetch.ts';
import type { Random, TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { isInImage } from '../supervised/labelled-regions.ts';
import { isNear } from './cell-targets.ts';
import type { CellFinder } from './detector-network.ts';
import { STRIDE } from './detector-shapes.ts';
import { cutWindow, type TrainingWindow, toCanvas, windowSides } from './training-windows.ts';

/** Windows over all images: bounds the memory. */
const [DEFECT_WINDOWS, GOOD_WINDOWS] = [800, 400];
/** Good places that look most like defects: images searched, places of an image, pixels between them. */
const [SEARCHED, PLACES, APART] = [80, 5, 48];
/** Places less like a defect than this are easy. */
const EASY = 0.15;

export interface Collecting {
  readonly layout: InputLayout;
  readonly random: Random;
  readonly signal: AbortSignal;
  report?(done: number, total: number): void;
}

/** Classes that occur, in ascending order; regions without a number last. */
export function labelsOf(samples: readonly Pick<TrainingSample, 'regions'>[]): (number | null)[] {
  const found = new Set(samples.flatMap(({ regions }) => regions.map(({ label }) => label)));
  const numbers = [...found].filter((label) => label !== null).sort((a, b) => a - b);
  return found.has(null) ? [...numbers, null] : numbers;
}

/** Regions to cut out, by sample: all of them, or as many of each class as of the others. */
function chooseRegions(samples: readonly TrainingSample[], random: Random): Map<TrainingSample, Set<number>> {
  const all = samples.flatMap((sample) =>
    sample.regions.map((region, index) => ({ sample, index, label: region.label })),
  );
  for (let last = all.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  const queues = labelsOf(samples).map((label) => all.filter((place) => place.label === label));
  const chosen = new Map<TrainingSample, Set<number>>();
  let left = DEFECT_WINDOWS;
  while (left > 0 && queues.some((queue) => queue.length > 0))
    for (const queue of queues) {
      const next = queue.pop();
      if (!next || left-- <= 0) continue;
      chosen.set(next.sample, (chosen.get(next.sample) ?? new Set()).add(next.index));
    }
  return chosen;
}

/**
 * Windows around the samples' rectangles, and in good images by chance. An NG sample without rectangles teaches
 * nothing, because its defects may lie anywhere.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function collectWindows(
  samples: readonly TrainingSample[],
  { layout, random, signal, report }: Collecting,
): Promise<TrainingWindow[]> {
  const chosen = chooseRegions(samples, random);
  const taught = samples.filter((sample) => sample.good || chosen.has(sample));
  const good = taught.filter((sample) => sample.good).length;
  const perGood = GOOD_WINDOWS / Math.max(1, good);
  const { kept } = windowSides(layout);
  const windows: TrainingWindow[] = [];
  let [done, owed] = [0, 0];
  for await (const prepared of prefetch(taught, (sample) => sample.load())) {
    const sample = taught[done];
    if (!sample) break;
    throwIfCancelled(signal);
    const canvas = await toCanvas(sample, prepared, layout);
    for (const index of chosen.get(sample) ?? []) {
      const region = canvas.regions[index];
      if (!region || !isInImage(region, canvas.image.width, canvas.image.height)) continue;
      const { xMin, xMax, yMin, yMax, label } = region;
      windows.push({ ...cutWindow(canvas, (xMin + xMax) / 2, (yMin + yMax) / 2, kept), label });
    }
    for (owed += sample.good ? Math.min(8, perGood) : 0; owed >= 1; owed--) {
      const { width, height } = canvas.image;
      windows.push(cutWindow(canvas, random.next() * width, random.next() * height, kept));
    }
    done++;
    report?.(done, taught.length);
  }
  return windows;
}

/** Windows around good places that a network takes for defects, in some of the samples. */
export async function collectHardWindows(
  samples: readonly TrainingSample[],
  finder: CellFinder,
  { layout, random, signal }: Collecting,
): Promise<TrainingWindow[]> {
  const known = samples.filter(({ good, regions }) => good || regions.length > 0);
  const searched = [...sampleIndices(known.length, SEARCHED, random)].flatMap((index) => known[index] ?? []);
  const { kept } = windowSides(layout);
  const windows: TrainingWindow[] = [];
  let done = 0;
  for await (const prepared of prefetch(searched, (sample) => sample.load())) {
    const sample = searched[done++];
    if (!sample) break;
    throwIfCancelled(signal);
    const canvas = await toCanvas(sample, prepared, layout);
    const { rows, columns, patches } = await finder.find(canvas.image);
    const suspicion = (cell: number): number => 1 - patches.data[cell * patches.columns]!;
    const suspects = Array.from({ length: rows * columns }, (_, cell) => cell).filter((cell) => suspicion(cell) > EASY);
    suspects.sort((a, b) => suspicion(b) - suspicion(a) || a - b);
    const places: [number, number][] = [];
    for (const cell of suspects) {
      const [x, y] = [((cell % columns) + 0.5) * STRIDE, (Math.floor(cell / columns) + 0.5) * STRIDE];
      if (places.length >= PLACES) break;
      const apart = places.every(([otherX, otherY]) => Math.max(Math.abs(otherX - x), Math.abs(otherY - y)) >= APART);
      if (apart && !isNear(canvas.regions, x, y)) places.push([x, y]);
    }
    windows.push(...places.map(([x, y]) => cutWindow(canvas, x, y, kept)));
  }
  return windows;
}
