import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { entryPath } from '../../package-path.ts';
import { openSessionThreads } from '../../vision/onnx/session-threads.ts';
import type { FitInput } from '../../vision/training/fit-input.ts';

/** Cores that a training may use: the service needs the others. */
export const trainingThreads = Math.min(2, availableParallelism());

/** Starts a thread that runs sessions. */
export function startSessionThread(): Worker {
  const path = entryPath('vision/onnx/session-thread');
  if (!path.endsWith('.ts')) return new Worker(path, { execArgv: [] });
  // A thread does not inherit the loader that runs TypeScript sources.
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const entry = JSON.stringify(pathToFileURL(path).href);
  const code = `import(${loader}).then(({ register }) => { register(); return import(${entry}); })`;
  return new Worker(code, { eval: true, execArgv: [] });
}

/** Hands a training the threads that it may use, and ends them when it has ended. */
export async function withTrainingThreads<Result>(
  train: (threads: Pick<FitInput, 'threads' | 'sideBySide'>) => Promise<Result>,
  threads = trainingThreads,
): Promise<Result> {
  if (threads < 2) return train({ threads });
  const sideBySide = openSessionThreads(threads, startSessionThread);
  try {
    return await train({ threads, sideBySide });
  } finally {
    await sideBySide.dispose();
  }
}
