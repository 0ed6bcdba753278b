import { parentPort } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.ts';
import { openSession, type Session } from './open-session.ts';
import {
  type SentTensors,
  type ThreadRequest,
  type ThreadResponse,
  type ThreadResult,
  toTensors,
} from './session-threads.ts';

// The entry of a thread that runs sessions, one run after another: see `openSessionThreads`.

/** A run leaves a megabyte or two. Collected more often, what is still in use would be taken for lasting. */
const RUNS = 4;

const sessions = new Map<number, Session>();

async function carryOut({ session: number, model, feeds, outputs }: ThreadRequest): Promise<ThreadResult> {
  if (model) {
    const session = await openSession(model);
    sessions.set(number, session);
    const { inputNames, outputNames, inputMetadata } = session;
    return { opened: { inputNames, outputNames, inputMetadata } };
  }
  const session = sessions.get(number);
  if (!session) throw new Error(`Session ${number} is not open in this thread.`);
  if (feeds) {
    const results = await session.run(toTensors(feeds), outputs);
    const sent = Object.entries(results).map(([name, { type, data, dims }]) => [name, { type, data, dims }]);
    return { tensors: Object.fromEntries(sent) as SentTensors };
  }
  sessions.delete(number);
  await session.release();
  collectGarbage();
  return {};
}

async function respond(request: ThreadRequest): Promise<ThreadResponse> {
  try {
    return { result: await carryOut(request) };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { error: { message, stack } };
  }
}

let last = Promise.resolve();
let ended = false;
let responses = 0;
parentPort?.on('message', (request: ThreadRequest | 'end') => {
  if (request === 'end') {
    ended = true;
    parentPort?.close();
    return;
  }
  last = last.then(async () => {
    if (!ended) parentPort?.postMessage(await respond(request));
    if (++responses % RUNS === 0) collectGarbage({ type: 'minor' });
  });
});
