import type { Db, Trx } from '../../storage/database.ts';
import { LeaseLostError } from '../job-handlers.ts';
import { completeJobs } from './job-rows.ts';

/** A run's wish to be recorded as done, together with what it found. */
export interface Ending {
  readonly id: number;
  readonly write: ((trx: Trx) => Promise<void>) | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

async function applyEnding(trx: Trx, ending: Ending, owner: string): Promise<void> {
  if (!ending.write) return void (await completeJobs(trx, [ending.id], owner));
  await completeInside(trx, ending.id, owner);
  await ending.write(trx);
}

/** @throws LeaseLostError where the job is no longer the owner's. */
export async function completeInside(trx: Trx, id: number, owner: string): Promise<void> {
  const completed = await completeJobs(trx, [id], owner);
  if (completed === 0) throw new LeaseLostError(`Job ${id} is no longer this run's; its result is dropped.`);
}

/** Endings that have nothing to write share one statement. */
export async function applyEndings(trx: Trx, endings: readonly Ending[], owner: string): Promise<void> {
  const plain = endings.filter((ending) => !ending.write).map((ending) => ending.id);
  if (plain.length > 0) await completeJobs(trx, plain, owner);
  for (const ending of endings) if (ending.write) await applyEnding(trx, ending, owner);
}

/** One transaction each, so that a write that fails breaks no other. */
export async function applyEndingsApart(db: Db, endings: readonly Ending[], owner: string): Promise<void> {
  for (const ending of endings) {
    try {
      await db.transaction().execute((trx) => applyEnding(trx, ending, owner));
      ending.resolve();
    } catch (error) {
      ending.reject(error);
    }
  }
}
