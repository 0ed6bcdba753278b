import type { Item, ModelAssessment } from '../../../../src/client/shapes.ts';

/** The newest verdict of a model. */
export function latestAssessment(item: Item): ModelAssessment | undefined {
  const when = (assessment: ModelAssessment): string => assessment.predicted_at ?? '';
  return [...(item.assessments ?? [])].sort((one, other) => when(other).localeCompare(when(one)))[0];
}
