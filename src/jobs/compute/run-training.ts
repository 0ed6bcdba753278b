import { once } from 'node:events';
import type { Logger } from 'pino';
import type { AppError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { entryPath } from '../../package-path.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import { VisionError } from '../../vision/vision-error.ts';
import { type ForkedProcess, forkEntry } from './fork-entry.ts';
import type { FromTraining, RefineOrder, ToTraining, TrainingOutcome, TrainOrder } from './messages.ts';
import { computeFailed, fromRemoteError, toRemoteError } from './remote-error.ts';

export interface TrainingSupervision {
  /** The file of `samples[index]`. */
  loadImage(index: number): Promise<Uint8Array>;
  onProgress(progress: FitProgress): void;
  /** Ends the training, within two seconds. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

const NICENESS = 10;
const CANCEL_PATIENCE_MS = 2000;

/**
 * Trains or refines a model in a process of its own, so that it can be cancelled at any moment and can't take the service
 * down.
 * @throws VisionError where the input is at fault, `cancelled` when the signal was aborted; AppError `compute-failed`
 * where the process died.
 */
export async function runTraining(
  order: TrainOrder | RefineOrder,
  { loadImage, onProgress, signal, log }: TrainingSupervision,
): Promise<TrainingOutcome> {
  if (signal.aborted) throw cancelled();
  const forked = forkEntry(entryPath('jobs/compute/training-process'), { niceness: NICENESS, log });
  const { child } = forked;
  // A process that has ended gets no message; 'exit' reports it.
  const send = (message: ToTraining): void => {
    if (child.connected) child.send(message, () => {});
  };
  const sendImage = async (index: number): Promise<void> => {
    try {
      send({ type: 'image', index, bytes: await loadImage(index) });
    } catch (error) {
      send({ type: 'no-image', index, error: toRemoteError(error) });
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    send({ type: 'cancel' });
    // Native code does not see the message; only the end of the process stops it.
    timer = setTimeout(() => child.kill('SIGKILL'), CANCEL_PATIENCE_MS);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      child.on('message', (message: FromTraining) => {
        if (message.type === 'need-image') void sendImage(message.index);
        else if (message.type === 'progress') signal.aborted || onProgress(message.progress);
        else if (message.type === 'outcome') resolve(message.outcome);
        else reject(fromRemoteError(message.error));
      });
      child.once('exit', (code, by) => reject(signal.aborted ? cancelled() : describeDeath(forked, code, by)));
      child.on('error', (error) => reject(computeFailed(say('compute.no-start', { details: error.message }))));
      send({ type: 'start', order });
    });
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(timer);
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

function cancelled(): VisionError {
  return new VisionError('cancelled', say('training.cancelled'));
}

function describeDeath(forked: ForkedProcess, code: number | null, signal: string | null): AppError {
  const words = forked.lastWords();
  const details = signal ?? `exit code ${code}`;
  const memory = signal === 'SIGKILL' || signal === 'SIGABRT' || /out of memory|bad_alloc/i.test(words);
  const message = memory ? 'compute.training-out-of-memory' : 'compute.training-died';
  return computeFailed(say(message, { details }), words);
}
