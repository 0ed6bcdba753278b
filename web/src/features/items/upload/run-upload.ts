import { KensaError } from '../../../../../src/client/kensa-error.ts';
import { type UploadFields, uploadItems } from '../../../../../src/client/transfer.ts';
import { pause } from '../../../../../src/client/wait-for.ts';
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

  const send = async (batch: UploadBatch): Promise<void> => {
    const files = batch.files.map(({ file, name }) => ({ name, bytes: file }));
    const parts = batch.separable ? files.length : 1;
    try {
      await uploadItems(api, files, fieldsOf[purpose], signal);
      count(batch, []);
    } catch (error) {
      if (signal.aborted) return;
      const status = error instanceof KensaError ? error.status : 0;
      if (status === 425 || status === 503) {
        update({ waiting: true });
        // The queue may have room for fewer files.
        queue.unshift(...splitBatch(batch, Math.min(2, parts)));
        await pause(1000 * ((error as KensaError).retryAfter ?? 2));
      } else if ((status === 413 || status === 422) && parts > 1) {
        // One bad file makes the server refuse the whole batch. Each file alone shows which one it is.
        queue.unshift(...splitBatch(batch, parts));
      } else {
        count(batch, refusalsOf(batch, error));
      }
    }
  };
  const work = async (): Promise<void> => {
    for (let batch = queue.shift(); batch && !signal.aborted; batch = queue.shift()) await send(batch);
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
  return state;
}

function splitBatch(batch: UploadBatch, parts: number): UploadBatch[] {
  const size = Math.ceil(batch.files.length / parts);
  const cut = Array.from({ length: parts }, (_, part) => batch.files.slice(part * size, (part + 1) * size));
  return cut.map((files) => ({ ...batch, files }));
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

const fieldsOf: Record<UploadPurpose, UploadFields> = {
  good: { training: 'true', good: 'true' },
  ng: { training: 'true', good: 'false' },
  inspect: { training: 'false', model_id: 'active' },
  store: { training: 'false' },
};
