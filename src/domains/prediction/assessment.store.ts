import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { SentVerdict } from '../../jobs/compute/messages.ts';
import type { AssessmentImagesTable, AssessmentsTable, Trx } from '../../storage/database.ts';
import type { StoredRegion } from '../items/item.store.ts';

/** The verdict on one image, with the time it took. */
export interface AssessedImage {
  readonly position: number;
  /** SHA-256 of the image file. */
  readonly blob: string;
  readonly verdict: SentVerdict;
  readonly durationMs: number;
}

/**
 * The rows of an item's verdict. The item is NG if any image is, with the verdict of its worst image. Its score is the
 * highest of all images.
 */
export function assessItem(
  { itemId, modelId }: { itemId: string; modelId: string },
  images: readonly AssessedImage[],
  labelOf: (label: number) => string,
  context: { threshold: number; predictedAt: string },
) {
  const key = { item_id: itemId, model_id: modelId };
  const rows = images.map((image) => ({ ...key, ...imageRow(image, labelOf) }));
  const ranked = rows.toSorted((one, other) => other.raw_score - one.raw_score);
  const highest = ranked[0];
  const worst = ranked.find(({ result }) => result === 'NG') ?? highest;
  if (!highest || !worst) throw new Error(`Item ${itemId} has no image to assess.`);
  const assessment = {
    ...key,
    result: worst.result,
    label: worst.label,
    anomaly_score: highest.anomaly_score,
    raw_score: highest.raw_score,
    threshold: context.threshold,
    detected_objects: rows.reduce((sum, row) => sum + row.detected_objects, 0),
    detection_accuracy: worst.detection_accuracy,
    predicted_at: context.predictedAt,
    duration_ms: rows.reduce((sum, row) => sum + row.duration_ms, 0),
  };
  return { assessment, images: rows };
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
    ...(region.outline && { outline: region.outline.map(([x, y]) => [x, y]) }),
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

/** Stores a verdict in place of the earlier one of the same item and model. @returns its number */
export async function replaceAssessment(
  trx: Trx,
  assessment: Insertable<AssessmentsTable>,
  images: readonly Insertable<AssessmentImagesTable>[],
): Promise<number> {
  const { item_id, model_id } = assessment;
  const insertion = trx.insertInto('assessments').values(assessment).returning('seq');
  let inserted = await insertion.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
  if (!inserted) {
    for (const table of ['assessment_images', 'assessments'] as const) {
      await trx.deleteFrom(table).where('item_id', '=', item_id).where('model_id', '=', model_id).execute();
    }
    inserted = await insertion.executeTakeFirstOrThrow();
  }
  if (images.length > 0) await trx.insertInto('assessment_images').values(images).execute();
  return inserted.seq;
}
