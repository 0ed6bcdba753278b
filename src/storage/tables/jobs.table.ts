import type { ColumnType, Generated } from 'kysely';

/** Background work that waits, runs or has failed for good; a job that succeeded has no row. */
export interface JobsTable {
  id: Generated<number>;
  kind: string;
  /** Jobs of one lane share a limit of how many run at a time. */
  lane: string;
  /** JSON. */
  payload: string;
  /** At most one open job has a given key. */
  key: string | null;
  /** Smaller runs earlier. */
  priority: number;
  /** ISO 8601; null: as soon as possible, whatever the clock says. */
  run_at: string | null;
  /** Counted when a job is claimed, so that a job that kills its process is counted too. */
  attempts: Generated<number>;
  /** 0: replaced or cancelled while it ran, to be forgotten when it ends. */
  max_attempts: number;
  locked_by: string | null;
  locked_until: string | null;
  last_error: string | null;
  failed_at: string | null;
  created_at: ColumnType<string, string, never>;
}
