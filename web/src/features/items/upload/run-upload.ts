import { KensaError } from '../../../../../src/client/kensa-error.ts';
import { type UploadFields, uploadItems } from '../../../../../src/client/transfer.ts';
import { api } from '../../../api/kensa.ts';
import type { UploadBatch, UploadPurpose } from './upload-plan.ts';

export interface Refusal {
  readonly name: string;
  readonly reason: string;
}

export interface UploadState {
  readonly done: number;
  readonly taken: number;
  readonly refused: readonly Refusal[];
  /** The server is busy. */
  readonly waiting: boolean;
}

const requestsAtOnce = 3;

/** Sends the batches, a few at a time, and reports after each. Resolves when all are sent, or when `signal` aborts. */
export async function runUpload(
  batches: readonly UploadBatch[],
  purpose: UploadPurpose,
  report: (state: UploadState) => void,
  signal: AbortSignal,
): Promise<UploadState> {
  const queue = [...batches];
  let state: UploadState = { done: 0, taken: 0, refused: [], waiting: false };
  const update = (change: Partial<UploadState>) => {
    state = { ...state, ...change };
    report(state);
  };
  const count = (batch: UploadBatch, refused: readonly Refusal[]) =>
    update({
      done: state.done + batch.files.length,
      taken: state.taken + (refused.length > 0 ? 0 : batch.files.length),
      refused: [...state.refused, ...refused],
      waiting: false,
    });

  const work = async (): Promise<void> => {
    for (let batch = queue.shift(); batch && !signal.aborted; batch = queue.shift()) {
      try {
        await sendPatiently(batch, purpose, signal, () => update({ waiting: true }));
        count(batch, []);
      } catch (error) {
        if (signal.aborted) return;
        // One bad file makes the server refuse the whole batch. Each file alone shows which one it is.
        if (batch.separable && batch.files.length > 1 && isAboutFiles(error)) {
          queue.unshift(...batch.files.map((file) => ({ files: [file], separable: true })));
        } else {
          count(batch, refusalsOf(batch, error));
        }
      }
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
  return state;
}

function isAboutFiles(error: unknown): boolean {
  return error instanceof KensaError && (error.status === 422 || error.status === 413);
}

/** The reason for each file of a refused batch: its own problem, else the message about the batch. */
function refusalsOf(batch: UploadBatch, error: unknown): Refusal[] {
  const message = error instanceof Error ? error.message : String(error);
  const problems = error instanceof KensaError ? error.problems : [];
  return batch.files.map(({ name }) => ({
    name,
    reason: problems.find((problem) => problem.key === name)?.errors.join(' ') ?? message,
  }));
}

async function sendPatiently(
  batch: UploadBatch,
  purpose: UploadPurpose,
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  for (;;) {
    try {
      await sendBatch(batch, purpose, signal);
      return;
    } catch (error) {
      if (!(error instanceof KensaError) || (error.status !== 425 && error.status !== 503)) throw error;
      onWait();
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 2) * 1000));
      if (signal.aborted) throw error;
    }
  }
}

function sendBatch(batch: UploadBatch, purpose: UploadPurpose, signal: AbortSignal): Promise<string[]> {
  const files = batch.files.map(({ file, name }) => ({ name, bytes: file }));
  return uploadItems(api, files, fieldsOf[purpose], signal);
}

const fieldsOf: Record<UploadPurpose, UploadFields> = {
  good: { training: 'true', good: 'true' },
  ng: { training: 'true', good: 'false' },
  inspect: { training: 'false', model_id: 'active' },
  store: { training: 'false' },
};
