import { entryPath } from '../../package-path.ts';
import { type ForkedProcess, type ForkOptions, forkEntry } from './fork-entry.ts';

const NICENESS = 5;

let first: ForkedProcess | undefined;

export function forkCompute(log: ForkOptions['log']): ForkedProcess {
  return forkEntry(entryPath('jobs/compute/worker-main'), { niceness: NICENESS, log });
}

/** Starts a compute process for the pool, before the program is loaded. */
export function forkFirst(): void {
  first = forkCompute({ warn: () => {} });
  // `takeFirst` then finds that it has ended, and the pool starts another.
  first.child.on('error', () => {});
}

/** Hands over the process that was started early, if it lives. */
export function takeFirst(): ForkedProcess | undefined {
  const taken = first;
  first = undefined;
  return taken?.child.connected ? taken : undefined;
}
