import type { Generated } from 'kysely';

/** Regions that a person drew. Those of models are kept with their assessment. */
export interface AnnotationsTable {
  annotation_id: Generated<number>;
  item_id: string;
  /** Name of the image; null: the first. */
  image: string | null;
  x_min: number;
  y_min: number;
  x_max: number;
  y_max: number;
  label: number | null;
  notes: string | null;
  created_at: string;
}
