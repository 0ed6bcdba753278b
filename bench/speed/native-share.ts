import { Session } from 'node:inspector/promises';

const SAMPLE_MICROSECONDS = 100;

/**
 * Share of the time of `work` that is not spent in JavaScript or its garbage collection, by samples of V8's profiler:
 * native functions have no address of a source, and while another thread decodes or encodes this one is idle.
 */
export async function nativeShare(work: () => Promise<void>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const interpreted = new Set(
    profile.nodes
      .filter(({ callFrame }) => callFrame.url !== '' || callFrame.functionName === '(garbage collector)')
      .map(({ id }) => id),
  );
  let [total, script] = [0, 0];
  profile.samples?.forEach((id, index) => {
    const time = Math.max(0, profile.timeDeltas?.[index] ?? 0);
    total += time;
    if (interpreted.has(id)) script += time;
  });
  return 1 - script / total;
}
