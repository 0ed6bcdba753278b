import { InferenceSession, type Tensor } from 'onnxruntime-node';
import { encodeOnnxModel, type OnnxGraph } from './onnx-model.ts';
import type { SessionThreads } from './session-threads.ts';

/** A network that is ready to run. */
export interface Session extends Pick<InferenceSession, 'inputNames' | 'outputNames' | 'inputMetadata'> {
  /** @param outputs absent: all */
  run(feeds: Readonly<Record<string, Tensor>>, outputs?: readonly string[]): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

/** How many threads work on one run, or threads that work on one run each. */
export type Threads = number | SessionThreads;

/**
 * Session on one thread unless more are asked for. Predictions always run on one, side by side in more processes;
 * the operators that we use split their work between outputs, never within a sum, so that training may take more
 * threads without a bit of the result changing (a test holds them to it).
 */
export async function openSession(model: OnnxGraph | Uint8Array, threads: Threads = 1): Promise<Session> {
  if (typeof threads !== 'number') return threads.open(model);
  const bytes = model instanceof Uint8Array ? model : encodeOnnxModel(model);
  const session = await InferenceSession.create(bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    // Waiting threads must not take the other processes' cores.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  const { inputNames, outputNames, inputMetadata } = session;
  return {
    ...{ inputNames, outputNames, inputMetadata },
    run: (feeds, outputs) => session.run(feeds, outputs ?? outputNames),
    release: () => session.release(),
  };
}
