import { InferenceSession, type Tensor } from 'onnxruntime-node';
import { encodeOnnxModel, type OnnxGraph } from './onnx-model.ts';
import type { SessionThreads } from './session-threads.ts';

type Tensors = Readonly<Record<string, Tensor>>;
/** Inputs of a session, each with the output of another one that goes there. */
export type Links = Readonly<Record<string, string>>;

/** A network that is ready to run. */
export interface Session extends Pick<InferenceSession, 'inputNames' | 'outputNames' | 'inputMetadata'> {
  /** @param outputs absent: all */
  run(feeds: Tensors, outputs?: readonly string[]): Promise<Tensors>;
  /** One after another; all of them in the same thread. */
  runEach(feeds: readonly Tensors[]): Promise<readonly Tensors[]>;
  /** Inputs that come with every run from now on. Their data must not be changed any more. */
  keep(feeds: Tensors): Promise<void>;
  /** Runs `next`, which is open in the same threads, on what this one gives; what goes from one to the other stays in their thread. */
  runInto(next: Session, links: Links, feeds: Tensors): Promise<Tensors>;
  release(): Promise<void>;
}

/** How many threads work on one run, or threads that work on one run each. */
export type Threads = number | SessionThreads;

/** What the linked outputs are to the session that takes them. */
function linked(links: Links, given: Tensors): Tensors {
  return Object.fromEntries(Object.entries(links).map(([input, output]) => [input, given[output] as Tensor]));
}

/**
 * Session on one thread unless more are asked for. Predictions always run on one, side by side in more processes;
 * the operators that we use split their work between outputs, never within a sum, so that training may take more
 * threads without a bit of the result changing (a test holds them to it).
 * @param only which of the threads that work on one run each is to have it; absent: all
 */
export async function openSession(
  model: OnnxGraph | Uint8Array,
  threads: Threads = 1,
  only?: number,
): Promise<Session> {
  if (typeof threads !== 'number') return threads.open(model, only);
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
  let kept: Tensors = {};
  const run = (feeds: Tensors, outputs: readonly string[] = outputNames): Promise<Tensors> =>
    session.run({ ...kept, ...feeds }, outputs);
  return {
    ...{ inputNames, outputNames, inputMetadata, run },
    async runEach(all) {
      const results: Tensors[] = [];
      for (const feeds of all) results.push(await run(feeds));
      return results;
    },
    async keep(feeds) {
      kept = { ...kept, ...feeds };
    },
    runInto: async (next, links, feeds) => next.run(linked(links, await run(feeds, Object.values(links)))),
    release: () => session.release(),
  };
}
