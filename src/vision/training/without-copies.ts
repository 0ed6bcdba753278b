import type { TrainingSample } from '../types.ts';
import { listNames } from './list-names.ts';

export interface DistinctSamples {
  readonly samples: readonly TrainingSample[];
  /** Sentences to a person. */
  readonly remarks: readonly string[];
}

/**
 * The samples without good ones whose file was there before: a copy is no second product, and where copies vouch for one
 * another a threshold says nothing. NG samples stay, as each may have rectangles of its own.
 */
export function withoutCopies(all: readonly TrainingSample[]): DistinctSamples {
  const firstGood = new Map<string, TrainingSample>();
  const copies = new Set<TrainingSample>();
  for (const sample of all) {
    if (!sample.good || sample.content === undefined) continue;
    if (firstGood.has(sample.content)) copies.add(sample);
    else firstGood.set(sample.content, sample);
  }
  const twins = all.flatMap(({ good, name, content = '' }) => {
    const twin = good ? undefined : firstGood.get(content);
    return twin ? [`${twin.name} (OK) and ${name} (NG)`] : [];
  });
  return {
    samples: all.filter((sample) => !copies.has(sample)),
    remarks: [
      ...(copies.size > 0
        ? [
            `Left out, as they are the same files as other good images: ${listNames(Array.from(copies, ({ name }) => name))}.`,
          ]
        : []),
      ...(twins.length > 0 ? [`The same file with two verdicts, please correct one: ${listNames(twins)}.`] : []),
    ],
  };
}
