import { availableParallelism } from 'node:os';
import type { Figure, Section } from './figure.ts';
import type { KensaRun } from './kensa-run.ts';
import { kensaRun, runChild } from './run-child.ts';

const LIMITED = 200;
const LIMITS = { secondsAt200: 10, linear: 1.2 };

/** Trainings on more and more photos, each in a process of its own. @param folder with as many photos as the largest */
export async function measureTraining(folder: string, counts: readonly number[]): Promise<Section> {
  const threads = Math.min(2, availableParallelism());
  const figures: Figure[] = [];
  const secondsAnImage = new Map<number, number>();
  const mib = new Map<number, number>();
  for (const count of counts) {
    const run = await runChild<KensaRun>(await kensaRun(folder, 'kensa', threads, count));
    secondsAnImage.set(count, run.trainSeconds / count);
    const time = count === LIMITED ? { limit: { most: LIMITS.secondsAt200 } } : {};
    figures.push({ name: `${count} photos`, unit: 's', value: run.trainSeconds, ...time });
    if (count === LIMITED) {
      const inEightBits = await runChild<KensaRun>(await kensaRun(folder, 'kensa-int8', threads, count));
      figures.push({ name: `${count} photos in 8 bits`, unit: 's', value: inEightBits.trainSeconds, ...time });
    }
    figures.push({ name: `${count} photos, memory of the process at most`, unit: 'MiB', value: run.peakMib });
    mib.set(count, run.peakMib);
  }
  const [fewest, most] = [counts[0] ?? 0, counts.at(-1) ?? 0];
  const against = (name: string, of: ReadonlyMap<number, number>): Figure => ({
    ...{ name: `${name}, ${most} against ${fewest}`, unit: '×', limit: { most: LIMITS.linear } },
    value: (of.get(most) ?? 0) / (of.get(fewest) ?? 1),
  });
  figures.push(against('seconds a photo', secondsAnImage), against('memory', mib));
  return {
    title: 'Training',
    method: `PatchCore with its defaults at input 256 on 512² JPEG photos, ${threads} threads, one training a count; from files to the model, calibration included.`,
    figures,
  };
}
