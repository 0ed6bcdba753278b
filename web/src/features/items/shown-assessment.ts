import type { Item, ModelAssessment } from '../../../../src/client/shapes.ts';

/** The verdict of the model asked for, else the newest of any. */
export function shownAssessment(item: Item, modelId: string | undefined): ModelAssessment | undefined {
  const when = (assessment: ModelAssessment): string => assessment.predicted_at ?? '';
  const assessments = item.assessments ?? [];
  const asked = assessments.find((assessment) => assessment.model_id === modelId);
  return asked ?? [...assessments].sort((one, other) => when(other).localeCompare(when(one)))[0];
}
