import sharp from 'sharp';
import { collectRarely } from '../../collect-rarely.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import { ImageWindow } from './image-window.ts';
import { followParent, tellParent } from './process-etiquette.ts';
import { fromRemoteError, toRemoteError } from './remote-error.ts';
import { refineOrder, trainOrder } from './train-order.ts';
import type { FromTraining, Order, ToTraining } from './training-messages.ts';

// The entry of a process that makes one training or refinement and ends. It asks its parent for the bytes of every image.

const IMAGES_AHEAD = 3;
const PROGRESS_INTERVAL_MS = 200;

interface Waiter {
  resolve(bytes: Uint8Array): void;
  reject(error: unknown): void;
}

const cancellation = new AbortController();
const waiters = new Map<number, Waiter[]>();
const tell = (message: FromTraining): Promise<void> => tellParent(message);

function askForImage(index: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const waiting = waiters.get(index);
    waiters.set(index, [...(waiting ?? []), { resolve, reject }]);
    if (!waiting) void tell({ type: 'need-image', index });
  });
}

function takeWaiters(index: number): Waiter[] {
  const waiting = waiters.get(index) ?? [];
  waiters.delete(index);
  return waiting;
}

/** Passes on the newest progress, not oftener than a person can read it. */
function createReporter(): (progress: FitProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS && progress.fraction < 1) return;
    last = now;
    void tell({ type: 'progress', progress });
  };
}

async function carryOut(order: Order): Promise<void> {
  const images = new ImageWindow(order.samples.length, IMAGES_AHEAD, askForImage);
  try {
    const context = {
      loadImage: (index: number) => images.get(index),
      signal: cancellation.signal,
      report: createReporter(),
    };
    const outcome = 'modelFile' in order ? await refineOrder(order, context) : await trainOrder(order, context);
    await tell({ type: 'outcome', outcome });
  } catch (error) {
    await tell({ type: 'failed', error: toRemoteError(error) });
  }
  // The parent has it all: nothing is left to wait for.
  process.exit(0);
}

function receive(message: ToTraining): void {
  if (message.type === 'start') void carryOut(message.order);
  else if (message.type === 'cancel') cancellation.abort();
  else if (message.type === 'image') for (const waiter of takeWaiters(message.index)) waiter.resolve(message.bytes);
  else for (const waiter of takeWaiters(message.index)) waiter.reject(fromRemoteError(message.error));
}

followParent();
collectRarely();
sharp.cache(false);
process.on('message', (message) => receive(message as ToTraining));
