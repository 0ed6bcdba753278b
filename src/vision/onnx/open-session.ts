import { InferenceSession, type Tensor } from 'onnxruntime-node';
import type { SessionThreads } from './session-threads.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** A network that is ready to run. */
export interface Session extends Pick<InferenceSession, 'inputNames' | 'outputNames' | 'inputMetadata'> {
  /** @param outputs absent: all */
  run(feeds: Tensors, outputs?: readonly string[]): Promise<Tensors>;
  release(): Promise<void>;
}

/** How many threads work together on one run, or threads that each work on a run of their own. */
export type Threads = number | SessionThreads;

/**
 * Opens an ONNX network on one thread unless more are asked for. Predictions always run on one thread, side by side in
 * more processes. The operators that we use split their work between outputs and never within a sum: the result has the
 * same bits on any number of threads (a test holds them to it).
 */
export async function openSession(model: Uint8Array, threads: Threads = 1): Promise<Session> {
  if (typeof threads !== 'number') return threads.open(model);
  const session = await InferenceSession.create(model, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    extra: {
      session: {
        // Waiting threads must not take the other processes' cores.
        intra_op: { allow_spinning: '0' },
        // A processor without VNNI would cut off large sums of 8-bit products: all processors have the same sums.
        x64quantprecision: '1',
      },
    },
  });
  const { inputNames, outputNames, inputMetadata } = session;
  return {
    inputNames,
    outputNames,
    inputMetadata,
    run: (feeds, outputs = outputNames) => session.run(feeds, outputs),
    release: () => session.release(),
  };
}
