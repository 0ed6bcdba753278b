import { listNames, say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
import type { PreparedImage, TrainingSample } from '../types.ts';

/** Samples that note the remarks of their preprocessing, such as that the product was not found. */
export function noteRemarks(samples: readonly TrainingSample[]) {
  const noted = new Map<TrainingSample, readonly Message[]>();
  const load = async (sample: TrainingSample): Promise<PreparedImage> => {
    const prepared = await sample.load();
    if (prepared.remarks) noted.set(sample, prepared.remarks);
    return prepared;
  };
  return {
    samples: samples.map((sample): TrainingSample => ({ ...sample, load: () => load(sample) })),
    /** One remark on all images that were loaded, with the first of them as the example. */
    summary(): Message[] {
      const first = samples.find((sample) => noted.has(sample));
      if (!first) return [];
      const values = { failed: noted.size, total: samples.length, name: first.name, reason: noted.get(first) ?? [] };
      return [say('remark.preprocessing', values)];
    },
  };
}

/** Remarks on good images that may be defective. */
export function outlierRemarks(outliers: readonly string[], doubtful: readonly string[]): Message[] {
  return [
    ...(outliers.length > 0 ? [say('remark.outliers', { names: listNames(outliers) })] : []),
    ...(doubtful.length > 0 ? [say('remark.doubtful', { names: listNames(doubtful) })] : []),
  ];
}

/**
 * The samples without good ones whose file was there before: a copy is no second product, and where copies vouch for one
 * another a threshold says nothing. NG samples stay, as each may have rectangles of its own.
 */
export function dropCopies(all: readonly TrainingSample[]): {
  readonly samples: readonly TrainingSample[];
  readonly remarks: readonly Message[];
} {
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
