import { listNames, say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
import type { TrainingSample } from '../types.ts';

export interface DistinctSamples {
  readonly samples: readonly TrainingSample[];
  /** Sentences to a person. */
  readonly remarks: readonly Message[];
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
    return twin ? [say('remark.contradiction', { good: twin.name, defect: name })] : [];
  });
  return {
    samples: all.filter((sample) => !copies.has(sample)),
    remarks: [
      ...(copies.size > 0 ? [say('remark.copies', { names: listNames(Array.from(copies, ({ name }) => name)) })] : []),
      ...(twins.length > 0 ? [say('remark.contradictions', { names: listNames(twins) })] : []),
    ],
  };
}
