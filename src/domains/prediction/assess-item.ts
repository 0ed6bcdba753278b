import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { SentVerdict } from '../../jobs/compute/messages.ts';
import type { AssessmentImagesTable, AssessmentsTable } from '../../storage/database.ts';
import type { StoredRegion } from '../items/item.store.ts';

/** The verdict on one image, with the time it took. */
export interface AssessedImage {
  readonly position: number;
  /** SHA-256 of the image file. */
  readonly blob: string;
  readonly verdict: SentVerdict;
  readonly durationMs: number;
}

export interface AssessmentRows {
  readonly assessment: Insertable<AssessmentsTable>;
  readonly images: Insertable<AssessmentImagesTable>[];
}

/** The item is NG if any image is, and its verdict that of its worst image. Its score is the highest of all images. */
export function assessItem(
  ids: { itemId: string; modelId: string },
  images: readonly AssessedImage[],
  labelOf: (label: number) => string,
  context: { threshold: number; predictedAt: string },
): AssessmentRows {
  const key = { item_id: ids.itemId, model_id: ids.modelId };
  const rows = images.map((image) => ({ ...key, ...imageRow(image, labelOf) }));
  const worst = [...images].sort(
    (one, other) =>
      Number(other.verdict.result === 'NG') - Number(one.verdict.result === 'NG') ||
      other.verdict.rawScore - one.verdict.rawScore,
  )[0];
  if (!worst) throw new Error(`Item ${ids.itemId} has no image to assess.`);
  const highest = images.reduce((one, other) => (other.verdict.rawScore > one.verdict.rawScore ? other : one), worst);
  const sum = (read: (image: AssessedImage) => number): number => images.reduce((total, one) => total + read(one), 0);
  return {
    assessment: {
      ...key,
      result: worst.verdict.result,
      label: labelText(worst.verdict, labelOf),
      anomaly_score: highest.verdict.anomalyScore.toFixed(6),
      raw_score: highest.verdict.rawScore,
      threshold: context.threshold,
      detected_objects: sum((image) => image.verdict.regions.length),
      detection_accuracy: Math.round(worst.verdict.detectionAccuracy),
      predicted_at: context.predictedAt,
      duration_ms: sum((image) => image.durationMs),
    },
    images: rows,
  };
}

function imageRow({ position, blob, verdict, durationMs }: AssessedImage, labelOf: (label: number) => string) {
  const regions: StoredRegion[] = verdict.regions.map((region) => ({
    x_min: region.xMin,
    y_min: region.yMin,
    x_max: region.xMax,
    y_max: region.yMax,
    area: region.area,
    score: region.anomalyScore.toFixed(6),
    label: region.label ?? null,
  }));
  return {
    position,
    result: verdict.result,
    label: labelText(verdict, labelOf),
    anomaly_score: verdict.anomalyScore.toFixed(6),
    raw_score: verdict.rawScore,
    detected_objects: regions.length,
    detection_accuracy: Math.round(verdict.detectionAccuracy),
    defect_area: regions.reduce((total, region) => total + region.area, 0),
    regions: JSON.stringify(regions),
    heatmap_id: createHash('sha256').update(blob).update(verdict.anomalyMap).digest('hex'),
    score_layer: Buffer.from(verdict.anomalyMap),
    heatmap_width: verdict.width,
    heatmap_height: verdict.height,
    heatmap_size: null,
    duration_ms: durationMs,
  };
}

function labelText(verdict: SentVerdict, labelOf: (label: number) => string): string {
  if (verdict.label !== null) return labelOf(verdict.label);
  return verdict.result === 'NG' ? 'defect' : 'good';
}
