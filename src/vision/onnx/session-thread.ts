import { parentPort } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.ts';
import { openSession, type Session } from './open-session.ts';
import { type FromThread, received, type SentTensors, type ToThread } from './session-threads.ts';

// The entry of a thread that runs sessions, one run after another: see `openSessionThreads`.

/** An image leaves two megabytes. More often, and what is still in use would be taken for lasting. */
const ANSWERS = 4;

const sessions = new Map<number, Session>();

function find(number: number): Session {
  const session = sessions.get(number);
  if (!session) throw new Error(`Session ${number} is not open in this thread.`);
  return session;
}

async function run(session: Session, sentFeeds: SentTensors, { outputs, into }: ToThread): Promise<SentTensors> {
  const feeds = received(sentFeeds);
  const results = await (into ? session.runInto(find(into.session), into.links, feeds) : session.run(feeds, outputs));
  const sent = Object.entries(results).map(([name, { type, data, dims }]) => [name, { type, data, dims }]);
  return Object.fromEntries(sent) as SentTensors;
}

async function carryOut(question: ToThread): Promise<FromThread['result']> {
  const { session: number, model, feeds, keep } = question;
  if (model) {
    const session = await openSession(model);
    sessions.set(number, session);
    const { inputNames, outputNames, inputMetadata } = session;
    return { opened: { inputNames, outputNames, inputMetadata } };
  }
  const session = find(number);
  if (feeds) {
    const tensors: SentTensors[] = [];
    for (const each of feeds) tensors.push(await run(session, each, question));
    return { tensors };
  }
  if (keep) {
    await session.keep(received(keep));
    return {};
  }
  sessions.delete(number);
  await session.release();
  // With what it kept, which has long counted as lasting.
  collectGarbage();
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
let answers = 0;
parentPort?.on('message', (question: ToThread | 'end') => {
  if (question === 'end') {
    ended = true;
    parentPort?.close();
    return;
  }
  last = last.then(async () => {
    if (!ended) parentPort?.postMessage(await answer(question));
    answers++;
    if (answers % ANSWERS === 0) collectGarbage({ type: 'minor' });
  });
});
