import { say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
import type { PreparedImage, TrainingSample } from '../types.ts';

/** Samples that note what their preprocessing has to say, such as that the product was not found. */
export function noteRemarks(samples: readonly TrainingSample[]) {
  const noted = new Map<TrainingSample, readonly Message[]>();
  const load = async (sample: TrainingSample): Promise<PreparedImage> => {
    const prepared = await sample.load();
    if (prepared.remarks) noted.set(sample, prepared.remarks);
    return prepared;
  };
  return {
    samples: samples.map((sample): TrainingSample => ({ ...sample, load: () => load(sample) })),
    /** One sentence to a person over all images that were loaded, with the first of them as the example. */
    summary(): Message[] {
      const first = samples.find((sample) => noted.has(sample));
      if (!first) return [];
      const values = { failed: noted.size, total: samples.length, name: first.name, reason: noted.get(first) ?? [] };
      return [say('remark.preprocessing', values)];
    },
  };
}
