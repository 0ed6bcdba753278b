import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { VerdictOptions } from '../../vision/inspection/open-inspector.ts';
import { ComputeWorker, type ModelSource, type PendingTask, type WorkerLimits } from './compute-worker.ts';
import { forkCompute, takeFirst } from './fork-entry.ts';
import type { ComputeKind, ComputeResults, ComputeTask, FromWorker } from './messages.ts';
import { computeFailed, fromRemoteError } from './remote-error.ts';

export interface ComputePoolOptions extends Partial<WorkerLimits> {
  /** How many processes; each computes on one thread. */
  readonly size: number;
  readonly log: Logger;
}

/** A process closes the model that was used least recently where it would have more. */
export const mostOpenModels = 4;
const DEFAULT_LIMITS: WorkerLimits = { taskTimeoutMs: 60_000, maxRssBytes: 1024 ** 3, maxModels: mostOpenModels };
/** A process receives its second task while it works on the first. */
const TASKS_PER_WORKER = 2;
const MAX_CRASHES_PER_TASK = 2;
const MAX_FAILED_STARTS = 3;

/** Processes that decode images and run models. A crash in one of them does not touch the service. */
export class ComputePool {
  readonly #size: number;
  readonly #log: Logger;
  readonly #limits: WorkerLimits;
  readonly #workers = new Set<ComputeWorker>();
  readonly #waiting: PendingTask[] = [];
  /** Called where a process has died. */
  onCrash: () => void = () => {};
  #lastId = 0;
  #crashes = 0;
  #failedStarts = 0;
  #closing = false;

  constructor({ size, log, ...limits }: ComputePoolOptions) {
    this.#size = size;
    this.#log = log;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /**
   * Carries out one piece of work in a process.
   * @param model where the task needs one; it is sent to the process first
   * @throws VisionError where the image or the model is at fault, AppError `compute-failed` otherwise
   */
  run<K extends ComputeKind>(
    task: ComputeTask & { readonly kind: K },
    model?: ModelSource,
  ): Promise<ComputeResults[K]> {
    return new Promise((resolve, reject) => {
      if (this.#closing) return reject(new AppError('overloaded'));
      const settle = (result: unknown): void => resolve(result as ComputeResults[K]);
      this.#waiting.push({ id: ++this.#lastId, task, model, resolve: settle, reject, crashes: 0 });
      this.#dispatch();
    });
  }

  predict({ model, image, options }: { model: ModelSource; image: Uint8Array; options: VerdictOptions }) {
    return this.run({ kind: 'predict', model: model.hash, image, options }, model);
  }

  /** Opens the model in a process, so that the first prediction doesn't wait for it. */
  async warm(model: ModelSource): Promise<void> {
    await this.run({ kind: 'warm', model: model.hash }, model);
  }

  /** Opens the model in every process, so that none of its predictions waits for that. @throws VisionError */
  async warmAll(model: ModelSource): Promise<void> {
    if (this.#closing) throw new AppError('overloaded');
    while (this.#workers.size < this.#size) this.#startWorker();
    const workers = [...this.#workers].filter((worker) => !worker.retired);
    await Promise.all(
      workers.map(
        (worker) =>
          new Promise((resolve, reject) => {
            const task = { kind: 'warm', model: model.hash } as const;
            worker.give({ id: ++this.#lastId, task, model, resolve, reject, crashes: 0 });
          }),
      ),
    );
  }

  /** `waiting` are the tasks that no process has been given yet. */
  stats() {
    const processes = [...this.#workers].map(({ pid, ready, tasks, rssBytes }) => ({
      pid,
      ready,
      tasks: tasks.size,
      rssBytes,
    }));
    return { processes, waiting: this.#waiting.length, crashes: this.#crashes };
  }

  /** Refuses waiting tasks, and lets running ones finish within `graceMs`. No process is left afterwards. */
  async close(graceMs = 5000): Promise<void> {
    this.#closing = true;
    for (const task of this.#waiting.splice(0)) task.reject(new AppError('overloaded'));
    const workers = [...this.#workers];
    for (const worker of workers) worker.retire();
    const timer = setTimeout(() => {
      for (const worker of workers) worker.kill();
    }, graceMs);
    await Promise.all(workers.map((worker) => worker.exited));
    clearTimeout(timer);
  }

  #dispatch(): void {
    for (let task = this.#waiting[0]; task; task = this.#waiting[0]) {
      const worker = this.#choose(task);
      if (!worker) return;
      this.#waiting.shift();
      worker.give(task);
    }
  }

  /** The least busy process, among equals one that has the model open; a new one rather than a busy one. */
  #choose(task: PendingTask): ComputeWorker | undefined {
    // A task that was in a process when it died runs alone, so that a second crash affects no other task.
    const room = task.crashes > 0 ? 1 : TASKS_PER_WORKER;
    let best: { worker: ComputeWorker; load: number } | undefined;
    for (const worker of this.#workers) {
      if (worker.retired || worker.tasks.size >= room) continue;
      if ([...worker.tasks.values()].some((other) => other.crashes > 0)) continue;
      const load = worker.tasks.size + (task.model && !worker.holds(task.model.hash) ? 0.5 : 0);
      if (!best || load < best.load) best = { worker, load };
    }
    const idle = best && best.worker.tasks.size === 0;
    if (!idle && this.#workers.size < this.#size && !this.#closing) return this.#startWorker();
    return best?.worker;
  }

  #startWorker(): ComputeWorker {
    const worker = new ComputeWorker(takeFirst() ?? forkCompute(this.#log), this.#limits, {
      onDone: (from, task, message) => this.#finish(from, task, message),
      onUnsent: (_, task, error) => {
        task.reject(error);
        this.#dispatch();
      },
      onExit: (from, reason) => this.#replace(from, reason),
    });
    this.#workers.add(worker);
    return worker;
  }

  #finish(worker: ComputeWorker, task: PendingTask, message: FromWorker): void {
    this.#failedStarts = 0;
    if (message.type === 'done') task.resolve(message.result);
    if (message.type === 'failed') task.reject(fromRemoteError(message.error));
    if (worker.retired && !this.#closing) {
      this.#log.info(
        { pid: worker.pid, rssBytes: worker.rssBytes },
        'a compute process has grown too large; replacing it',
      );
    }
    this.#dispatch();
  }

  #replace(worker: ComputeWorker, reason: string): void {
    this.#workers.delete(worker);
    const unfinished = [...worker.tasks.values()];
    worker.tasks.clear();
    if (unfinished.length > 0 || !worker.retired) {
      this.#crashes++;
      this.onCrash();
      this.#log.error({ pid: worker.pid, reason, tasks: unfinished.length }, 'a compute process has died');
    }
    if (!worker.ready && !this.#closing && ++this.#failedStarts >= MAX_FAILED_STARTS) {
      this.#failedStarts = 0;
      const failure = computeFailed(say('compute.no-start', { details: reason }));
      for (const task of [...unfinished, ...this.#waiting.splice(0)]) task.reject(failure);
      return;
    }
    for (const task of unfinished.reverse()) this.#retry(worker, task, reason);
    this.#dispatch();
  }

  #retry(worker: ComputeWorker, task: PendingTask, reason: string): void {
    // Neither a start that failed nor another task's timeout is this task's fault.
    if (worker.ready && !worker.timedOut) task.crashes++;
    if (this.#closing) task.reject(new AppError('overloaded'));
    else if (worker.timedOut === task)
      task.reject(computeFailed(say('compute.too-long', { seconds: this.#limits.taskTimeoutMs / 1000 })));
    else if (task.crashes >= MAX_CRASHES_PER_TASK) task.reject(computeFailed(say('compute.died', { details: reason })));
    else this.#waiting.unshift(task);
  }
}
