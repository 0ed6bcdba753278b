import { availableParallelism } from 'node:os';
import { type Figure, medianFigure, type Section, spreadOf } from './figure.ts';
import type { KensaRun } from './kensa-run.ts';
import { kensaRun, runChild } from './run-child.ts';

const LIMITED = 200;
/** Trainings of each count up to `LIMITED`; at `LIMITED` itself both networks are trained, by turns. */
const RUNS = 5;
const LIMITS = { secondsAt200: 20, linear: 1.2 };

/** Measures trainings on more and more images, each in a process of its own. @param folder holds as many images as the largest count */
export async function measureTraining(folder: string, counts: readonly number[]): Promise<Section> {
  const threads = Math.min(2, availableParallelism());
  const train = async (network: string, count: number): Promise<KensaRun> =>
    runChild<KensaRun>(await kensaRun(folder, network, threads, { limit: count }));
  const figures: Figure[] = [];
  const secondsOf = (runs: readonly KensaRun[]): number[] => runs.map(({ trainSeconds }) => trainSeconds);
  const seconds = new Map<number, number>();
  const mib = new Map<number, number>();
  for (const count of counts) {
    const runs: { floats: KensaRun[]; eightBits: KensaRun[] } = { floats: [], eightBits: [] };
    for (let turn = 0; turn < (count <= LIMITED ? RUNS : 1); turn++) {
      runs.floats.push(await train('kensa', count));
      if (count === LIMITED) runs.eightBits.push(await train('kensa-int8', count));
    }
    const limit = count === LIMITED ? { most: LIMITS.secondsAt200 } : undefined;
    figures.push(medianFigure(`${count} images`, 's', secondsOf(runs.floats), limit));
    if (runs.eightBits.length > 0)
      figures.push(medianFigure(`${count} images in 8 bits`, 's', secondsOf(runs.eightBits), limit));
    const memory = medianFigure(
      `${count} images, memory of the process at most`,
      'MiB',
      runs.floats.map(({ peakMib }) => peakMib),
    );
    figures.push(memory);
    seconds.set(count, spreadOf(secondsOf(runs.floats)).median / count);
    mib.set(count, memory.value);
  }
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const against = (name: string, of: ReadonlyMap<number, number>, fewer: number): Figure => ({
    name: `${name}, ${most} against ${fewer}`,
    unit: '×',
    value: (of.get(most) ?? 0) / (of.get(fewer) ?? 1),
  });
  const limit = { most: LIMITS.linear };
  figures.push(
    { ...against('seconds an image', seconds, fewest), limit },
    { ...against('memory', mib, fewest), limit },
    { ...against('memory', mib, LIMITED), limit },
  );
  return {
    title: 'Training',
    method: `PatchCore with its defaults on 512² JPEG images, ${threads} threads, ${RUNS} trainings on ${LIMITED} images or fewer and one on every other count; from files to the model, calibration included. Some ${LIMITED} images fill what is kept of them: from there on memory is not to grow, whatever their number.`,
    figures,
  };
}
