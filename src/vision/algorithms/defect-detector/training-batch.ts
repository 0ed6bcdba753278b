import type { Random } from '../../types.ts';
import { signalName } from '../supervised/conv-network.ts';
import { cellTargets, IGNORED } from './cell-targets.ts';
import { LOSS_INPUTS } from './detection-loss.ts';
import { type ColourScale, colourPlanes } from './detector-network.ts';
import { STRIDE } from './detector-shapes.ts';
import { drawWindow, type TrainingWindow, type Turning } from './training-windows.ts';

export const BATCH = 16;
/** Shares of a batch: windows of defects, each class as often as the others, and good places that looked like defects. */
const [DEFECTS, HARD] = [0.7, 0.15];
/** What lengths count beside classes. */
const LENGTH_WEIGHT = 0.5;
/** Windows are made lighter or darker by this share of the colours' spread, and their contrast changed by as much. */
const LIGHT = 0.1;

/** Mean of the windows' colours and the root mean square of what is left. */
export function colourScale(windows: readonly TrainingWindow[]): ColourScale {
  const sums = [0, 0, 0];
  let [squares, count] = [0, 0];
  for (const { image } of windows)
    for (let i = 0; i < image.data.length; i += 3)
      for (let channel = 0; channel < 3; channel++) {
        const value = image.data[i + channel]! / 255;
        sums[channel]! += value;
        squares += value * value;
        count++;
      }
  const [red = 0, green = 0, blue = 0] = sums.map((sum) => (3 * sum) / count);
  const spread = Math.sqrt(Math.max(1e-4, squares / count - (red * red + green * green + blue * blue) / 3));
  return { mean: [red, green, blue], spread };
}

export interface Drawing extends Turning {
  /** Side of what is shown, a multiple of 32. */
  readonly shown: number;
  readonly random: Random;
}

/** Windows to draw from. */
export interface Pools {
  readonly classes: readonly (readonly TrainingWindow[])[];
  readonly good: readonly TrainingWindow[];
  readonly hard: readonly TrainingWindow[];
}

export function drawBatch({ classes, good, hard }: Pools, random: Random): TrainingWindow[] {
  const pick = (windows: readonly TrainingWindow[]): TrainingWindow[] =>
    windows.length > 0 ? [windows[random.integer(windows.length)]!] : [];
  return Array.from({ length: BATCH }, (_, index) => {
    const share = (index + 0.5) / BATCH;
    const kind = classes[random.integer(classes.length)] ?? [];
    if (share < DEFECTS) return pick(kind);
    const wanted = share < DEFECTS + HARD && hard.length > 0 ? hard : good;
    return pick(wanted.length > 0 ? wanted : kind);
  }).flat();
}

/** Inputs and targets of a step. */
export function toFeeds(
  windows: readonly TrainingWindow[],
  labels: readonly (number | null)[],
  colours: ColourScale,
  drawing: Drawing,
): Record<string, Float32Array> {
  const { shown, random } = drawing;
  const side = shown / STRIDE;
  const [cells, kinds] = [side * side, labels.length + 1];
  const images = new Float32Array(BATCH * 3 * shown * shown);
  const classes = new Float32Array(BATCH * kinds * cells);
  const [importance, lengthImportance] = [new Float32Array(BATCH * cells), new Float32Array(BATCH * cells)];
  const lengths = new Float32Array(BATCH * 4 * cells);
  let defects = 0;
  windows.forEach((window, example) => {
    const { image, regions } = drawWindow(window, shown, drawing, random);
    const planes = colourPlanes(image, colours);
    const [gain, shift] = [1 + LIGHT * (2 * random.next() - 1), LIGHT * (2 * random.next() - 1)];
    for (let i = 0; i < planes.length; i++) planes[i] = planes[i]! * gain + shift;
    images.set(planes, example * planes.length);
    const targets = cellTargets(regions, labels, side, side);
    for (let cell = 0; cell < cells; cell++) {
      const kind = targets.kinds[cell]!;
      if (kind === IGNORED) continue;
      classes[(example * kinds + kind) * cells + cell] = 1;
      importance[example * cells + cell] = 1;
      if (kind === 0) continue;
      defects++;
      lengthImportance[example * cells + cell] = LENGTH_WEIGHT;
      for (let way = 0; way < 4; way++) lengths[(example * 4 + way) * cells + cell] = targets.lengths[4 * cell + way]!;
    }
  });
  for (const weights of [importance, lengthImportance])
    for (let i = 0; i < weights.length; i++) weights[i]! /= Math.max(1, defects);
  return {
    [signalName(0)]: images,
    [LOSS_INPUTS.classes]: classes,
    [LOSS_INPUTS.importance]: importance,
    [LOSS_INPUTS.lengths]: lengths,
    [LOSS_INPUTS.lengthImportance]: lengthImportance,
  };
}
