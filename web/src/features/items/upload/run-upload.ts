import { KensaError } from '../../../../../src/client/kensa-error.ts';
import { type UploadFields, uploadItems } from '../../../../../src/client/transfer.ts';
import { pause } from '../../../../../src/client/wait-for.ts';
import { api } from '../../../api/kensa.ts';
import { problemsOf } from '../../../api/queries.ts';
import type { UploadFiles, UploadPurpose } from './upload-plan.ts';

export interface UploadState {
  readonly done: number;
  readonly accepted: number;
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** The server is busy. */
  readonly waiting: boolean;
}

const requestsAtOnce = 4;

/** Sends the requests, a few at a time, and reports after each. Resolves when all are sent, or when `signal` aborts. */
export async function runUpload(
  requests: readonly UploadFiles[],
  purpose: UploadPurpose,
  report: (change: (state: UploadState) => UploadState) => void,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...requests];
  const send = async (files: UploadFiles): Promise<void> => {
    try {
      await uploadItems(api, files, fieldsOf[purpose], signal);
      report((state) => ({
        ...state,
        done: state.done + files.length,
        accepted: state.accepted + files.length,
        waiting: false,
      }));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof KensaError && (error.status === 425 || error.status === 503)) {
        report((state) => ({ ...state, waiting: true }));
        queue.unshift(files);
        return pause(1000 * (error.retryAfter ?? 2));
      }
      const refused = files.map(({ name }) => ({ name, reason: reasonFor(name, error as Error) }));
      report((state) => ({ ...state, done: state.done + files.length, refused: [...state.refused, ...refused] }));
    }
  };
  const work = async (): Promise<void> => {
    for (let files = queue.shift(); files && !signal.aborted; files = queue.shift()) await send(files);
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
}

/** The problem of the file, else the message about the whole request. */
function reasonFor(name: string, error: Error): string {
  const own = problemsOf(error).find((problem) => problem.key === name);
  return own?.errors.join(' ') ?? error.message;
}

const fieldsOf: Record<UploadPurpose, UploadFields> = {
  good: { training: 'true', good: 'true' },
  ng: { training: 'true', good: 'false' },
  inspect: { training: 'false', model_id: 'active' },
  store: { training: 'false' },
};
