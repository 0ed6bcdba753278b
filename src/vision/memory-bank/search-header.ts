import { say } from '../engine-messages.ts';
import { VisionError } from '../vision-error.ts';
import type { PatchMemory } from './patch-memory.ts';

/** How a model's memory bank is searched, in the words of the file: exactly where the search is not by blocks. */
export interface SearchHeader {
  readonly candidates?: number;
  readonly byBlocks?: boolean;
}

export const encodeSearch = ({ shortlist }: Pick<PatchMemory, 'shortlist'>): SearchHeader =>
  shortlist === undefined ? {} : { candidates: shortlist, byBlocks: true };

/**
 * Files of earlier releases may name candidates of each patch, without blocks; these are searched exactly.
 * @throws VisionError `invalid_model`
 */
export function decodeSearch(
  { candidates, byBlocks }: SearchHeader,
  neighbours: number,
): Pick<PatchMemory, 'shortlist'> {
  if (candidates !== undefined && !(Number.isInteger(candidates) && candidates >= neighbours))
    throw new VisionError('invalid_model', say('model.damaged', { part: 'candidates' }));
  if (byBlocks !== undefined && typeof byBlocks !== 'boolean')
    throw new VisionError('invalid_model', say('model.damaged', { part: 'byBlocks' }));
  return { shortlist: byBlocks ? candidates : undefined };
}
