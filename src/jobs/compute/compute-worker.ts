import type { BackboneDescription } from '../../vision/types.ts';
import type { forkEntry } from './fork-entry.ts';
import type { ComputeTask, FromWorker, ToWorker } from './messages.ts';

/** A model by the hash of its bytes, which are fetched only where a process lacks them. */
export interface ModelSource {
  readonly hash: string;
  load(): Promise<Uint8Array>;
  readonly backbone: {
    readonly id: string;
    readonly hash: string;
    readonly description: BackboneDescription;
    load(): Promise<Uint8Array>;
  };
}

export interface PendingTask {
  readonly id: number;
  readonly task: ComputeTask;
  readonly model: ModelSource | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** How many processes have died while they worked on it. */
  crashes: number;
}

export interface WorkerEvents {
  onDone(worker: ComputeWorker, task: PendingTask, message: FromWorker): void;
  /** The task's bytes could not be fetched; nothing was sent. */
  onUnsent(worker: ComputeWorker, task: PendingTask, error: unknown): void;
  onExit(worker: ComputeWorker, reason: string): void;
}

export interface WorkerLimits {
  readonly taskTimeoutMs: number;
  readonly maxRssBytes: number;
  readonly maxModels: number;
}

const EXIT_PATIENCE_MS = 2000;
/** Generous: on a machine that is busy with a training, a process starts slowly. */
const START_TIMEOUT_MS = 60_000;

/** The parent's end of one compute process. It decides which models the process keeps open. */
export class ComputeWorker {
  /** In the order in which they were given. */
  readonly tasks = new Map<number, PendingTask>();
  readonly exited: Promise<void>;
  ready = false;
  /** Takes no new tasks, and ends when it has none. */
  retired = false;
  timedOut: PendingTask | undefined;
  rssBytes = 0;
  readonly #process: ReturnType<typeof forkEntry>;
  readonly #events: WorkerEvents;
  readonly #limits: WorkerLimits;
  // By hash: settled when sent. The most recently used model is last. Backbones are few, and kept.
  readonly #models = new Map<string, Promise<void>>();
  readonly #backbones = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(fork: ReturnType<typeof forkEntry>, limits: WorkerLimits, events: WorkerEvents) {
    this.#process = fork;
    this.#limits = limits;
    this.#events = events;
    const { child } = fork;
    child.on('message', (message) => this.#receive(message as FromWorker));
    // Sending to a process that has just died fails. 'exit' follows, or the start has failed.
    child.on('error', () => {});
    this.exited = new Promise((resolve) => {
      const ended = (code: number | null, signal: string | null) => {
        clearTimeout(this.#timer);
        const words = fork.lastWords();
        events.onExit(this, `${signal ? `signal ${signal}` : `exit code ${code}`}${words ? `: ${words}` : ''}`);
        resolve();
      };
      if (child.pid === undefined) child.once('error', () => ended(null, 'none (the process could not be started)'));
      else child.once('exit', ended);
    });
  }

  get pid(): number | undefined {
    return this.#process.child.pid;
  }

  holds(hash: string): boolean {
    return this.#models.has(hash);
  }

  give(pending: PendingTask): void {
    this.tasks.set(pending.id, pending);
    if (this.tasks.size === 1) this.#watch();
    const opened = pending.model ? this.#open(pending.model) : undefined;
    if (!opened) this.#send({ type: 'task', id: pending.id, task: pending.task });
    opened?.then(
      () => this.#send({ type: 'task', id: pending.id, task: pending.task }),
      (error) => {
        if (pending.model) this.#models.delete(pending.model.hash);
        if (this.#forget(pending.id)) this.#events.onUnsent(this, pending, error);
      },
    );
  }

  /** Ends the process when its tasks are done; at once where it has none. */
  retire(): void {
    this.retired = true;
    if (this.tasks.size === 0) this.#end();
  }

  kill(): void {
    this.#process.child.kill('SIGKILL');
  }

  #end(): void {
    if (this.#process.child.connected) this.#process.child.disconnect();
    const timer = setTimeout(() => this.kill(), EXIT_PATIENCE_MS);
    void this.exited.then(() => clearTimeout(timer));
  }

  #receive(message: FromWorker): void {
    if (message.type === 'ready') {
      this.ready = true;
      this.#watch();
      return;
    }
    this.rssBytes = message.rssBytes;
    if (message.type === 'failed' && message.closedModel) this.#models.delete(message.closedModel);
    const task = this.#forget(message.id);
    if (this.rssBytes > this.#limits.maxRssBytes) this.retired = true;
    if (task) this.#events.onDone(this, task, message);
    if (this.retired && this.tasks.size === 0) this.#end();
  }

  #forget(id: number): PendingTask | undefined {
    const task = this.tasks.get(id);
    this.tasks.delete(id);
    this.#watch();
    return task;
  }

  /** Limits the time of the oldest task; the others wait for it. */
  #watch(): void {
    clearTimeout(this.#timer);
    const [oldest] = this.tasks.values();
    if (!oldest) return;
    const expire = () => {
      if (this.ready) this.timedOut = oldest;
      this.kill();
    };
    this.#timer = setTimeout(expire, this.ready ? this.#limits.taskTimeoutMs : START_TIMEOUT_MS);
  }

  /** Sends the model and its backbone where the process lacks them. Resolves when they are sent. */
  #open(source: ModelSource): Promise<void> {
    const sent = this.#models.get(source.hash) ?? this.#sendModel(source);
    this.#models.delete(source.hash);
    this.#models.set(source.hash, sent);
    this.#closeUnused();
    return sent;
  }

  async #sendModel(source: ModelSource): Promise<void> {
    const { backbone } = source;
    const sent = this.#backbones.get(backbone.hash) ?? this.#sendBackbone(backbone);
    this.#backbones.set(backbone.hash, sent);
    sent.catch(() => this.#backbones.delete(backbone.hash));
    const [model] = await Promise.all([source.load(), sent]);
    this.#send({ type: 'open-model', hash: source.hash, model, backboneHash: backbone.hash });
  }

  async #sendBackbone({ id, hash, description, load }: ModelSource['backbone']): Promise<void> {
    this.#send({ type: 'backbone', hash, file: { id, description, onnx: await load() } });
  }

  #closeUnused(): void {
    const inUse = new Set([...this.tasks.values()].map((pending) => pending.model?.hash));
    for (const hash of [...this.#models.keys()]) {
      if (this.#models.size <= this.#limits.maxModels) return;
      if (inUse.has(hash)) continue;
      this.#models.delete(hash);
      this.#send({ type: 'close-model', hash });
    }
  }

  #send(message: ToWorker): void {
    if (this.#process.child.connected) this.#process.child.send(message);
  }
}
