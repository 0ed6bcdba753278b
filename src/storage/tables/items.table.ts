import type { ColumnType, Generated } from 'kysely';

export type ItemStatus = 'pending' | 'queued' | 'processing' | 'done' | 'failed';

export interface ItemsTable {
  /** Order of arrival; pages are cut along it. */
  seq: Generated<number>;
  item_id: string;
  name: string;
  status: ItemStatus;
  /** Why the last prediction failed, or what its preprocessing could not do. */
  status_text: string | null;
  /** Of several predictions at a time, the model that was asked last, `failed` once it has; null where there is one at most. */
  latest_model_id: string | null;
  active: number;
  is_training: number;
  user_result: 'OK' | 'NG' | null;
  user_label: string | null;
  user_assessed_at: string | null;
  created_at: string;
  /** The name as searches compare it, see `fold-name.ts`. */
  folded_name: Generated<string>;
  /** Verdicts of all models, bits: 1 OK, 2 NG. Kept by triggers. */
  verdicts: ColumnType<number, never, never>;
  /** What lists are filtered by, in one number, see `kept-counts.ts`. Computed by the database. */
  list_kind: ColumnType<number, never, never>;
}

export interface ItemImagesTable {
  item_id: string;
  position: number;
  name: string;
  blob: string;
  format: string;
  width: number;
  height: number;
  file_size: number;
}
