import sharp from 'sharp';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import { carryOutOrder } from './carry-out-order.ts';
import type { FromTraining, RefineOrder, ToTraining, TrainOrder } from './messages.ts';
import { collectRarely, followParent, tellParent } from './process-etiquette.ts';
import { fromRemoteError, toRemoteError } from './remote-error.ts';

// The entry of a process that makes one training or refinement and ends. It asks its parent for the bytes of every image.

const PROGRESS_INTERVAL_MS = 200;

interface ImageRequest {
  resolve(bytes: Uint8Array): void;
  reject(error: unknown): void;
}

const cancellation = new AbortController();
const requests = new Map<number, ImageRequest[]>();
const tell = (message: FromTraining): Promise<void> => tellParent(message);

function requestImage(index: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const earlier = requests.get(index) ?? [];
    requests.set(index, [...earlier, { resolve, reject }]);
    if (earlier.length === 0) void tell({ type: 'need-image', index });
  });
}

/** Passes on the newest progress, at most five times a second. */
function createReporter(): (progress: FitProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS && progress.fraction < 1) return;
    last = now;
    void tell({ type: 'progress', progress });
  };
}

async function carryOut(order: TrainOrder | RefineOrder): Promise<void> {
  try {
    const outcome = await carryOutOrder(order, {
      loadImage: requestImage,
      signal: cancellation.signal,
      report: createReporter(),
    });
    await tell({ type: 'outcome', outcome });
  } catch (error) {
    await tell({ type: 'failed', error: toRemoteError(error) });
  }
  process.exit(0);
}

function receive(message: ToTraining): void {
  if (message.type === 'start') void carryOut(message.order);
  else if (message.type === 'cancel') cancellation.abort();
  else {
    const answered = requests.get(message.index) ?? [];
    requests.delete(message.index);
    for (const request of answered) {
      if (message.type === 'image') request.resolve(message.bytes);
      else request.reject(fromRemoteError(message.error));
    }
  }
}

followParent();
collectRarely();
sharp.cache(false);
process.on('message', (message) => receive(message as ToTraining));
