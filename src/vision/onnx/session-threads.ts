import type { Worker } from 'node:worker_threads';
import { Tensor } from 'onnxruntime-node';
import { encodeOnnxModel, type OnnxGraph } from './onnx-model.ts';
import type { Links, Session } from './open-session.ts';

/** Threads of which each works on a run of its own, so that runs that are asked for at once go side by side. */
export interface SessionThreads {
  /** How many there are; they are started when the first session is opened. */
  readonly count: number;
  /** A session in all of them: a run goes to the thread that has the fewest to do. @param only the one thread that is to have it */
  open(model: OnnxGraph | Uint8Array, only?: number): Promise<Session>;
  dispose(): Promise<void>;
}

type TensorType = 'float32' | 'uint8';
type TensorData = Float32Array | Uint8Array;
export type SentTensors = Readonly<
  Record<string, { readonly type: TensorType; readonly data: TensorData; readonly dims: readonly number[] }>
>;

/** A session is opened where there is a model, run where there are feeds, given what it is to keep, and closed otherwise. */
export interface ToThread {
  readonly id: number;
  readonly session: number;
  readonly model?: Uint8Array;
  /** Of one run after another. */
  readonly feeds?: readonly SentTensors[];
  readonly outputs?: readonly string[] | undefined;
  /** Inputs of every run to come. */
  readonly keep?: SentTensors;
  /** The session that runs on what this one gives. */
  readonly into?: { readonly session: number; readonly links: Links };
}

type OpenedSession = Pick<Session, 'inputNames' | 'outputNames' | 'inputMetadata'>;

/** Answers come in the order of the questions. */
export interface FromThread {
  readonly id: number;
  readonly result?: { readonly opened?: OpenedSession; readonly tensors?: readonly SentTensors[] };
  readonly error?: { readonly message: string; readonly stack: string | undefined };
}

interface Waiter {
  resolve(result: NonNullable<FromThread['result']>): void;
  reject(error: Error): void;
}

type Question = Omit<ToThread, 'id'>;

/** The near end of a thread. */
class SessionThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiter>();
  readonly #ended: Promise<void>;
  #lastId = 0;
  #failure: Error | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#worker.on('message', (answer: FromThread) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#fail(new Error(`A thread of the training ended with code ${code}.`));
        resolve();
      });
    });
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  ask(question: Question, transfer: ArrayBuffer[] = []): Promise<NonNullable<FromThread['result']>> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...question }, transfer);
    });
  }

  /** After the run that it is at: the runtime does not survive a thread that is taken away from under it. */
  async end(): Promise<void> {
    this.#worker.postMessage('end');
    await this.#ended;
  }

  #receive({ id, result = {}, error }: FromThread): void {
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiter?.reject(Object.assign(new Error(error.message), { stack: error.stack }));
    else waiter?.resolve(result);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** Copies, since what is sent takes with it the whole memory that it is a part of. */
function copied(feeds: Readonly<Record<string, Tensor>>): SentTensors {
  const entries = Object.entries(feeds).map(([name, { type, data: given, dims }]) => {
    const data = given instanceof Float32Array ? new Float32Array(given) : new Uint8Array(given as Uint8Array);
    return [name, { type: type as TensorType, data, dims }] as const;
  });
  return Object.fromEntries(entries);
}

const buffersOf = (feeds: readonly SentTensors[]): ArrayBuffer[] =>
  feeds.flatMap((tensors) => Object.values(tensors).map(({ data }) => data.buffer as ArrayBuffer));

export function received(tensors: SentTensors): Record<string, Tensor> {
  const entries = Object.entries(tensors);
  return Object.fromEntries(entries.map(([name, { type, data, dims }]) => [name, new Tensor(type, data, dims)]));
}

/** Where a session is open, and the number by which those threads know it. */
const places = new WeakMap<Session, { readonly threads: readonly SessionThread[]; readonly number: number }>();

/** A session that is open in all of the threads. */
function sharedSession(threads: readonly SessionThread[], number: number, opened: OpenedSession): Session {
  async function ask(
    given: readonly Readonly<Record<string, Tensor>>[],
    how: Pick<ToThread, 'outputs' | 'into'> = {},
  ): Promise<Record<string, Tensor>[]> {
    const feeds = given.map(copied);
    const thread = threads.reduce((least, other) => (other.waiting < least.waiting ? other : least));
    const { tensors = [] } = await thread.ask({ session: number, feeds, ...how }, buffersOf(feeds));
    return tensors.map(received);
  }
  const shared: Session = {
    ...opened,
    run: async (feeds, outputs) => (await ask([feeds], { outputs }))[0] ?? {},
    runEach: (feeds) => ask(feeds),
    async runInto(next, links, feeds) {
      const place = places.get(next);
      if (!place || threads.some((thread) => !place.threads.includes(thread)))
        throw new Error('The session that is to take the results is not open in these threads.');
      return (await ask([feeds], { into: { session: place.number, links } }))[0] ?? {};
    },
    async keep(feeds) {
      const asked = threads.map((thread) => {
        const keep = copied(feeds);
        return thread.ask({ session: number, keep }, buffersOf([keep]));
      });
      await Promise.all(asked);
    },
    async release() {
      await Promise.all(threads.map((thread) => thread.ask({ session: number })));
    },
  };
  places.set(shared, { threads, number });
  return shared;
}

/**
 * So many threads; on two, images go through a network nearly twice as fast as when both work on the same one.
 * @param start a thread that runs `session-thread`
 */
export function openSessionThreads(count: number, start: () => Worker): SessionThreads {
  let threads: SessionThread[] = [];
  let disposed = false;
  let lastSession = 0;
  return {
    count,
    async open(model, only) {
      // Work that was given up may still ask: nobody would end threads that it started.
      if (disposed) throw new Error('The training that these threads were for has ended.');
      if (threads.length === 0) threads = Array.from({ length: count }, () => new SessionThread(start()));
      const chosen = only === undefined ? threads : threads.slice(only, only + 1);
      const session = ++lastSession;
      const bytes = model instanceof Uint8Array ? new Uint8Array(model) : encodeOnnxModel(model);
      // The last thread may have them; the others get a copy.
      const asked = chosen.map((thread, index) =>
        thread.ask({ session, model: bytes }, index === chosen.length - 1 ? [bytes.buffer as ArrayBuffer] : []),
      );
      const [first] = await Promise.all(asked);
      if (!first?.opened) throw new Error('A thread has answered without the session that it was to open.');
      return sharedSession(chosen, session, first.opened);
    },
    async dispose() {
      disposed = true;
      await Promise.all(threads.splice(0).map((thread) => thread.end()));
    },
  };
}
