import { parentPort } from 'node:worker_threads';
import { Tensor } from 'onnxruntime-node';
import { openSession, type Session } from './open-session.ts';
import type { FromThread, SentTensors, ToThread } from './session-threads.ts';

// The entry of a thread that runs sessions, one run after another: see `openSessionThreads`.

const sessions = new Map<number, Session>();

async function run(session: Session, feeds: SentTensors, outputs: ToThread['outputs']): Promise<SentTensors> {
  const tensors = Object.entries(feeds).map(([name, { type, data, dims }]) => [name, new Tensor(type, data, dims)]);
  const results = await session.run(Object.fromEntries(tensors), outputs);
  const sent = Object.entries(results).map(([name, { type, data, dims }]) => [name, { type, data, dims }]);
  return Object.fromEntries(sent) as SentTensors;
}

async function carryOut({ session: number, model, feeds, outputs }: ToThread): Promise<FromThread['result']> {
  if (model) {
    const session = await openSession(model);
    sessions.set(number, session);
    const { inputNames, outputNames, inputMetadata } = session;
    return { opened: { inputNames, outputNames, inputMetadata } };
  }
  const session = sessions.get(number);
  if (!session) throw new Error(`Session ${number} is not open in this thread.`);
  if (feeds) {
    const tensors: SentTensors[] = [];
    for (const each of feeds) tensors.push(await run(session, each, outputs));
    return { tensors };
  }
  sessions.delete(number);
  await session.release();
  return {};
}

async function answer(question: ToThread): Promise<FromThread> {
  const { id } = question;
  try {
    return { id, result: (await carryOut(question)) ?? {} };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { id, error: { message, stack } };
  }
}

let last = Promise.resolve();
let ended = false;
parentPort?.on('message', (question: ToThread | 'end') => {
  if (question === 'end') {
    ended = true;
    parentPort?.close();
    return;
  }
  last = last.then(async () => {
    if (!ended) parentPort?.postMessage(await answer(question));
  });
});
