import type { Item, ModelAssessment } from '../../../../src/client/shapes.ts';

/** The verdict of this model, else the newest verdict of any model. */
export function shownAssessment(item: Item, modelId: string | undefined): ModelAssessment | undefined {
  const when = (assessment: ModelAssessment): string => assessment.predicted_at ?? '';
  const assessments = item.assessments ?? [];
  const asked = assessments.find((assessment) => assessment.model_id === modelId);
  return asked ?? [...assessments].sort((one, other) => when(other).localeCompare(when(one)))[0];
}
