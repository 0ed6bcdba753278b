import { once } from 'node:events';
import type { Logger } from 'pino';
import { entryPath } from '../../package-path.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import type { BackboneFile } from '../../vision/types.ts';
import { VisionError } from '../../vision/vision-error.ts';
import { type ForkedProcess, forkEntry } from './fork-entry.ts';
import { computeFailed, fromRemoteError, toRemoteError } from './remote-error.ts';
import type {
  FromTraining,
  Order,
  RefineOrder,
  ToTraining,
  TrainingOrder,
  TrainingOutcome,
} from './training-messages.ts';

export type { TrainingOutcome } from './training-messages.ts';

interface Supervision {
  /** The file of `samples[index]`. */
  loadImage(index: number): Promise<Uint8Array>;
  onProgress(progress: FitProgress): void;
  /** Ends the training, within two seconds. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export type TrainingRequest = TrainingOrder & Supervision;
export type RefiningRequest = RefineOrder & Supervision;

const NICENESS = 10;
const CANCEL_PATIENCE_MS = 2000;

/**
 * Trains in a process of its own, so that it can be cancelled at any moment and can't take the service down.
 * @throws VisionError where the input is at fault, `cancelled` when the signal was aborted; AppError `compute-failed`
 * where the process died.
 */
export function runTraining(request: TrainingRequest): Promise<TrainingOutcome> {
  const { algorithmId, parameterValues, steps, references, samples, seed } = request;
  const backbone = onlyBackbone(request.backbone);
  return supervise({ algorithmId, parameterValues, steps, references, samples, seed, backbone }, request);
}

/** The same for teaching a trained model single items. */
export function runRefining(request: RefiningRequest): Promise<TrainingOutcome> {
  const { modelFile, samples, options } = request;
  return supervise({ modelFile, samples, options, backbone: onlyBackbone(request.backbone) }, request);
}

const onlyBackbone = ({ id, onnx, description }: BackboneFile): BackboneFile => ({ id, onnx, description });

async function supervise(order: Order, request: Supervision): Promise<TrainingOutcome> {
  if (request.signal.aborted) throw cancelled();
  const forked = forkEntry(entryPath('jobs/compute/training-process'), { niceness: NICENESS, log: request.log });
  try {
    return await new TrainingProcess(forked, order, request).result;
  } finally {
    const { child } = forked;
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

function cancelled(): VisionError {
  return new VisionError('cancelled', 'The training was cancelled.');
}

/** The parent's end of a training process. */
class TrainingProcess {
  readonly result: Promise<TrainingOutcome>;
  readonly #forked: ForkedProcess;
  readonly #request: Supervision;
  /** It has said how it ended; what becomes of the process afterwards is no news. */
  #ended = false;

  constructor(forked: ForkedProcess, order: Order, request: Supervision) {
    this.#forked = forked;
    this.#request = request;
    const { child } = forked;
    const { signal } = request;
    this.result = new Promise((resolve, reject) => {
      child.on('message', (message: FromTraining) => {
        if (message.type === 'need-image') void this.#answer(message.index);
        else if (message.type === 'progress') signal.aborted || request.onProgress(message.progress);
        else {
          this.#ended = true;
          if (message.type === 'outcome') resolve(message.outcome);
          else reject(fromRemoteError(message.error));
        }
      });
      child.once('exit', (code, by) => {
        if (!this.#ended) reject(signal.aborted ? cancelled() : this.#death(code, by));
      });
      child.on('error', (error) => reject(computeFailed(`The training process does not start: ${error.message}`)));
    });
    this.#obeySignal();
    this.#send({ type: 'start', order });
  }

  #obeySignal(): void {
    const { child } = this.#forked;
    let timer: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#send({ type: 'cancel' });
      // It may be deep in native code, which ends with the process only.
      timer = setTimeout(() => child.kill('SIGKILL'), CANCEL_PATIENCE_MS);
    };
    this.#request.signal.addEventListener('abort', cancel, { once: true });
    child.once('exit', () => {
      clearTimeout(timer);
      this.#request.signal.removeEventListener('abort', cancel);
    });
  }

  async #answer(index: number): Promise<void> {
    try {
      this.#send({ type: 'image', index, bytes: await this.#request.loadImage(index) });
    } catch (error) {
      this.#send({ type: 'no-image', index, error: toRemoteError(error) });
    }
  }

  #death(code: number | null, signal: string | null) {
    const words = this.#forked.lastWords();
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    const memory = signal === 'SIGKILL' || signal === 'SIGABRT' || /out of memory|bad_alloc/i.test(words);
    const advice = memory
      ? 'Most likely the machine ran out of memory: train with fewer or smaller images, or give it more.'
      : 'Try again; if it happens again, the log says more.';
    this.#request.log.error({ code, signal, words }, 'a training process has died');
    return computeFailed(`The training process ${how}. ${advice}`);
  }

  /** What can't be sent any more is told by 'exit'. */
  #send(message: ToTraining): void {
    if (this.#forked.child.connected) this.#forked.child.send(message, () => {});
  }
}
