import type { Generated } from 'kysely';

export type ItemStatus = 'pending' | 'queued' | 'processing' | 'done' | 'failed';

export interface ItemsTable {
  /** Order of arrival; pages are cut along it. */
  seq: Generated<number>;
  item_id: string;
  name: string;
  status: ItemStatus;
  /** Why the last prediction failed. */
  status_text: string | null;
  active: number;
  is_training: number;
  user_result: 'OK' | 'NG' | null;
  user_label: string | null;
  user_assessed_at: string | null;
  created_at: string;
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
