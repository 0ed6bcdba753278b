import type { Runtime } from 'node:inspector';
import { Session } from 'node:inspector/promises';

const SAMPLE_MICROSECONDS = 100;

/**
 * Share of the time of `work` that is not spent in JavaScript or its garbage collection, by samples of V8's profiler.
 * Native functions have no source position, and this thread is idle while another thread decodes or encodes.
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
  const nodes = (isMeant: (frame: Runtime.CallFrame) => boolean): Set<number> =>
    new Set(profile.nodes.filter(({ callFrame }) => isMeant(callFrame)).map(({ id }) => id));
  const interpreted = nodes(({ url, functionName }) => url !== '' || functionName === '(garbage collector)');
  // Time of the profiler itself, at its start and end.
  const own = nodes(({ url, functionName }) => url === '' && functionName === 'dispatch');
  let [total, script] = [0, 0];
  profile.samples?.forEach((id, index) => {
    const time = own.has(id) ? 0 : Math.max(0, profile.timeDeltas?.[index] ?? 0);
    total += time;
    if (interpreted.has(id)) script += time;
  });
  return 1 - script / total;
}
