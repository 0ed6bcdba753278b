import { statusView } from '../../messages/message.ts';
import type { AnnotationRow, ItemImageRow, ItemRow } from '../../storage/database.ts';
import type { SignedUrls } from '../files/signed-urls.ts';
import type { AssessmentImageRow, AssessmentRow, ItemDetails, StoredRegion } from './item.store.ts';
import type { AnnotationView, ImageView, ItemView } from './items.schemas.ts';

export interface ItemViewOptions {
  readonly assessments: boolean;
  readonly annotations: boolean;
}

/** Turns rows into the contract's Item. */
export function createItemView(urls: SignedUrls): (details: ItemDetails, options: ItemViewOptions) => ItemView {
  return (details, options) => {
    const { item } = details;
    const images = details.images.map((image) => imageView(image, item, urls));
    const view: ItemView = {
      item_id: item.item_id,
      name: item.name,
      status: item.status,
      active: item.active === 1,
      is_training_data: item.is_training === 1,
      images,
      ...statusView(item.status_text),
      created_at: item.created_at,
    };
    // A delivery that an earlier version stored has no such columns.
    if (item.images_removed_at) view.images_removed_at = item.images_removed_at;
    if (item.serial) view.serial = item.serial;
    if (item.lot) view.lot = item.lot;
    if (item.station_id) view.station_id = item.station_id;
    if (item.target_id) view.target_id = item.target_id;
    if (item.fields) view.fields = JSON.parse(item.fields) as Record<string, string>;
    if (item.user_result !== null) {
      view.user_assessment = { result: item.user_result, label: item.user_label ?? '', images };
      if (options.annotations) view.user_assessment.annotations = details.annotations.map(annotationView);
    }
    if (options.assessments) {
      view.assessments = details.assessments.map(({ row, images: parts }) => ({
        model_id: row.model_id,
        result: row.result,
        label: row.label,
        anomaly_score: row.anomaly_score,
        detected_objects: row.detected_objects,
        detection_accuracy: row.detection_accuracy,
        threshold: row.threshold,
        predicted_at: row.predicted_at,
        images: item.images_removed_at ? [] : parts.flatMap((part) => heatmapView(part, details.images, urls)),
        ...(options.annotations
          ? { annotations: parts.flatMap((part) => regionViews(part, row, details.images)) }
          : {}),
      }));
    }
    return view;
  };
}

export function imageView(image: ItemImageRow, item: ItemRow, urls: SignedUrls): ImageView {
  const { blob, format, name, width, height, file_size } = image;
  const thumbnail = { thumbnail_url: urls.sign('thumbnail', blob, 'webp') };
  const known = { name, width, height, file_size };
  if (item.images_removed_at) return item.thumbnails_kept === 1 ? { ...known, ...thumbnail } : known;
  return { url: urls.sign('image', blob, format), ...known, ...thumbnail };
}

function heatmapView(part: AssessmentImageRow, images: readonly ItemImageRow[], urls: SignedUrls): ImageView[] {
  if (part.heatmap_id === null) return [];
  const name = images.find((image) => image.position === part.position)?.name ?? '';
  return [
    {
      url: urls.sign('heatmap', part.heatmap_id, 'jpeg'),
      name,
      width: part.heatmap_width ?? 0,
      height: part.heatmap_height ?? 0,
      // Earlier versions drew the heatmap with the verdict, and kept no map. The size of others is not known before.
      ...(part.heatmap_size === null
        ? { map_url: urls.sign('anomaly-map', part.heatmap_id, 'png') }
        : { file_size: part.heatmap_size }),
    },
  ];
}

function annotationView(row: AnnotationRow): AnnotationView {
  return {
    annotation_id: row.annotation_id,
    x_min: row.x_min,
    x_max: row.x_max,
    y_min: row.y_min,
    y_max: row.y_max,
    label: row.label,
    defect_size: (row.x_max - row.x_min) * (row.y_max - row.y_min),
    notes: row.notes,
    ...(row.image === null ? {} : { image: row.image }),
    created_at: row.created_at,
  };
}

function regionViews(part: AssessmentImageRow, row: AssessmentRow, images: readonly ItemImageRow[]): AnnotationView[] {
  const image = images.find((candidate) => candidate.position === part.position)?.name;
  const regions = JSON.parse(part.regions) as StoredRegion[];
  return regions.map(({ area, score, ...place }, index) => ({
    ...place,
    annotation_id: part.position * 10_000 + index + 1,
    defect_size: area,
    notes: score,
    ...(image === undefined ? {} : { image }),
    created_at: row.predicted_at,
  }));
}
