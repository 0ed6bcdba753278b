import type { Generated } from 'kysely';

export interface TargetsTable {
  target_id: Generated<number>;
  name: string;
  /** JSON: the contract's Preprocessing[]. */
  preprocessing: string;
  /** 1 for exactly one row. */
  is_default: number;
  /** JSON: blobs of the reference images of the steps, by item id, so that they outlive their items. */
  step_references: string;
  created_at: string;
  updated_at: string;
}
