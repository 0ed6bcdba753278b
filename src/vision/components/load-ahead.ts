import type { PreparedImage, TrainingSample } from '../types.ts';

/** Images that are decoded while the network works on an earlier one. */
const AHEAD = 3;

/** The samples' images in their order, the next few already being decoded. */
export async function* loadAhead(samples: readonly TrainingSample[]): AsyncGenerator<PreparedImage> {
  const waiting: Promise<PreparedImage>[] = [];
  let started = 0;
  for (let index = 0; index < samples.length; index++) {
    while (started < samples.length && started <= index + AHEAD) {
      const sample = samples[started++];
      if (!sample) break;
      const loading = sample.load();
      // A failure is thrown when it is this image's turn; until then it must not count as unhandled.
      loading.catch(() => {});
      waiting.push(loading);
    }
    const next = waiting.shift();
    if (next) yield await next;
  }
}
