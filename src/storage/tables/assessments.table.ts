import type { ColumnType, Generated } from 'kysely';

/** One verdict of one model on one item; a new prediction replaces it. */
export interface AssessmentsTable {
  seq: Generated<number>;
  item_id: string;
  model_id: string;
  result: 'OK' | 'NG';
  label: string;
  /** Six decimals, as answered. */
  anomaly_score: string;
  raw_score: number;
  threshold: number;
  detected_objects: number;
  detection_accuracy: number;
  predicted_at: string;
  duration_ms: number;
  /** Copies from the item, for lists of one model's verdicts. Kept by triggers. */
  item_seq: ColumnType<number | null, never, never>;
  list_kind: ColumnType<number | null, never, never>;
}

export interface AssessmentImagesTable {
  item_id: string;
  model_id: string;
  position: number;
  result: 'OK' | 'NG';
  label: string;
  anomaly_score: string;
  raw_score: number;
  detected_objects: number;
  detection_accuracy: number;
  defect_area: number;
  /** JSON: regions in pixels of the original. */
  regions: string;
  /** What its link names: a hash of image and layer; in rows of earlier releases, which have no layer, a blob. */
  heatmap_id: string | null;
  heatmap_width: number | null;
  heatmap_height: number | null;
  /** Size of the blob of earlier releases. */
  heatmap_size: number | null;
  /** The scores over the image, from which its heatmap is drawn. */
  score_layer: Buffer | null;
  duration_ms: number;
}
