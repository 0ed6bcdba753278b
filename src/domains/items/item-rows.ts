import type { Selectable } from 'kysely';
import type {
  AnnotationsTable,
  AssessmentImagesTable,
  AssessmentsTable,
  ItemImagesTable,
  ItemsTable,
} from '../../storage/database.ts';

export type ItemRow = Selectable<ItemsTable>;
export type ItemImageRow = Selectable<ItemImagesTable>;
export type AnnotationRow = Selectable<AnnotationsTable>;
/** What is shown of a verdict about an item. */
export type AssessmentRow = Pick<
  Selectable<AssessmentsTable>,
  | ('seq' | 'item_id' | 'model_id' | 'result' | 'label' | 'anomaly_score')
  | ('detected_objects' | 'detection_accuracy' | 'threshold' | 'predicted_at')
>;
/** What is shown of the same verdict about one of the item's images. */
export type AssessmentImageRow = Pick<
  Selectable<AssessmentImagesTable>,
  'position' | 'regions' | 'heatmap_id' | 'heatmap_width' | 'heatmap_height' | 'heatmap_size'
>;

/** An item with all that belongs to it. */
export interface ItemDetails {
  readonly item: ItemRow;
  readonly images: readonly ItemImageRow[];
  readonly annotations: readonly AnnotationRow[];
  readonly assessments: readonly { readonly row: AssessmentRow; readonly images: readonly AssessmentImageRow[] }[];
}

/** A region as `assessment_images.regions` keeps it, pixels of the original. */
export interface StoredRegion {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
  readonly area: number;
  readonly score: string;
  readonly label: number | null;
}
