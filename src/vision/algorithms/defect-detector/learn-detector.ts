import type { InputLayout } from '../../backbone/input-layout.ts';
import type { FitInput } from '../../training/fit-input.ts';
import type { TrainingSample } from '../../types.ts';
import { getFlag, getNumber } from '../contract/parameter-values.ts';
import { collectHardWindows } from './collect-windows.ts';
import { type DetectorNetwork, openCellFinder } from './detector-network.ts';
import { viewsOf } from './merge-views.ts';
import { trainDetector } from './train-detector.ts';
import { type TrainingWindow, windowSides } from './training-windows.ts';

export interface Learning {
  readonly input: FitInput;
  readonly layout: InputLayout;
  readonly labels: readonly (number | null)[];
  /** Part of the steps that are asked for. */
  readonly share: number;
  report?(done: number, total: number): void;
}

/** Trains a network on the samples' windows, and on what it takes for defects in their good places. */
export async function learnDetector(
  samples: readonly TrainingSample[],
  windows: readonly TrainingWindow[],
  { input, layout, labels, share, report }: Learning,
): Promise<DetectorNetwork> {
  const { params, random, signal, threads = 1 } = input;
  const turning = { rotations: getFlag(params, 'rotations'), flips: getFlag(params, 'flips') };
  const trained = await trainDetector(windows, labels, {
    steps: Math.ceil(share * getNumber(params, 'training_steps')),
    ...turning,
    shown: windowSides(layout).shown,
    random,
    threads,
    signal,
    async findHard(network, colours) {
      const finder = await openCellFinder(
        { network, colours, layout, views: viewsOf({ rotations: false, flips: false }) },
        threads,
      );
      try {
        return await collectHardWindows(samples, finder, { layout, random, signal });
      } finally {
        await finder.dispose();
      }
    },
    ...(report ? { report } : {}),
  });
  return { ...trained, layout, views: viewsOf(turning) };
}
