import type { Insertable } from 'kysely';
import { untrainedModel } from '../../src/domains/models/model-view.ts';
import type { AssessmentsTable, ItemsTable, ModelsTable } from '../../src/storage/database.ts';

const at = '2026-01-01T00:00:00.000Z';

export function newItem(
  item_id: string,
  { training, person = null }: { training: boolean; person?: 'OK' | 'NG' | null },
): Insertable<ItemsTable> {
  return {
    item_id,
    name: item_id,
    status: 'pending',
    status_text: null,
    active: 1,
    is_training: training ? 1 : 0,
    user_result: person,
    user_label: null,
    user_assessed_at: null,
    created_at: at,
  };
}

export function newAssessment(item_id: string, model_id: string, result: 'OK' | 'NG'): Insertable<AssessmentsTable> {
  return {
    item_id,
    model_id,
    result,
    label: result === 'OK' ? 'good' : 'defect',
    anomaly_score: '0.500000',
    raw_score: 1,
    threshold: 0.5,
    detected_objects: 0,
    detection_accuracy: 90,
    predicted_at: at,
    duration_ms: 1,
  };
}

export function newModel(model_id: string): Insertable<ModelsTable> {
  return {
    ...untrainedModel,
    model_id,
    name: model_id,
    algorithm_id: 'patchcore',
    algorithm_type: 'anomaly_detection',
    version: 1,
    context_id: 1,
    status: 'ready',
    status_text: '',
    params: '{}',
    steps: '[]',
    step_references: '{}',
    seed: 1,
    ok_img_count: 0,
    ng_img_count: 0,
    threshold: 0.5,
    ignore_outer: 'none',
    min_detected_area: 0,
    refinement: null,
    created_at: at,
    updated_at: at,
  };
}
