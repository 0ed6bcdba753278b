import type { ModelRow } from '../../storage/database.ts';

/** How a model was made from another one. */
export interface Refinement {
  readonly parentId: string;
  /** Items that it was taught. */
  readonly itemIds: readonly string[];
  /** It takes the parent's place where that is active when it becomes ready. */
  readonly activate: boolean;
}

export function findRefinement({ refinement }: Pick<ModelRow, 'refinement'>): Refinement | undefined {
  return refinement === null ? undefined : (JSON.parse(refinement) as Refinement);
}
