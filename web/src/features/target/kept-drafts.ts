import type { Target } from '../../../../src/client/shapes.ts';
import type { DraftStep } from './draft-steps.ts';

const drafts = new Map<string, readonly DraftStep[]>();

// Steps that somebody else saved meanwhile are another target to go on from.
const keyOf = ({ target_id, preprocessing }: Target): string => JSON.stringify([target_id, preprocessing]);

/** Steps that were changed and not saved outlive a look at another screen, in this tab. */
export const keptDrafts = {
  find: (target: Target): readonly DraftStep[] | undefined => drafts.get(keyOf(target)),
  keep: (target: Target, steps: readonly DraftStep[]): void => void drafts.set(keyOf(target), steps),
  forget: (target: Target): void => void drafts.delete(keyOf(target)),
};
