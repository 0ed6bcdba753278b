import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { quietRuntime } from '../../config.ts';
import { entryPath } from '../../package-path.ts';

/** All that a forked process has in its environment. */
export const computeEnvironment = { UV_THREADPOOL_SIZE: '2', ...quietRuntime };

/**
 * V8 counts the memory of pixels and tensors towards its heap, so by default it marks the whole heap at every image of a
 * megapixel. With this flag it does so from 64 MB on: an inspection takes a third less processor time.
 */
export const computeFlags = ['--initial-old-space-size=64'];

export interface ForkOptions {
  /** Lowers the priority: 1 to 19, the lowest. */
  readonly niceness: number;
  readonly log: { warn(details: object, text: string): void };
}

export interface ForkedProcess {
  readonly child: ChildProcess;
  /** The end of what the process wrote to its standard error. */
  lastWords(): string;
}

const LAST_WORDS_LENGTH = 2000;
const COMPUTE_NICENESS = 5;

/**
 * Starts a process of ours with a message channel that carries typed arrays. It does not inherit the environment, because a
 * process that decodes files of strangers must not know the service's secrets.
 */
export function forkEntry(path: string, options: ForkOptions): ForkedProcess {
  const child = fork(path, [], {
    serialization: 'advanced',
    execArgv: [...computeFlags, ...(path.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [])],
    env: computeEnvironment,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS_LENGTH);
  });
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, options.niceness);
    } catch (error) {
      options.log.warn({ err: error, pid: child.pid }, 'the priority of a compute process could not be lowered');
    }
  }
  return { child, lastWords: () => words.trim() };
}

let first: ForkedProcess | undefined;

export function forkCompute(log: ForkOptions['log']): ForkedProcess {
  return forkEntry(entryPath('jobs/compute/worker-main'), { niceness: COMPUTE_NICENESS, log });
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
