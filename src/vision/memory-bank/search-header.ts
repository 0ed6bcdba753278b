import { VisionError } from '../vision-error.ts';
import type { SearchChoice } from './open-memory-search.ts';

/** How a model's memory is searched; a header without it says: all of it. */
export interface SearchHeader {
  readonly candidates?: number;
  readonly byBlocks?: boolean;
}

export const encodeSearch = ({ candidates, byBlocks }: SearchChoice): SearchHeader => ({
  ...(candidates === undefined ? {} : { candidates }),
  ...(byBlocks === undefined ? {} : { byBlocks }),
});

/** @throws VisionError `invalid_model` */
export function decodeSearch({ candidates, byBlocks }: SearchHeader, neighbours: number): SearchChoice {
  if (candidates !== undefined && !(Number.isInteger(candidates) && candidates >= neighbours))
    throw new VisionError(
      'invalid_model',
      `The model looks at ${candidates} members for ${neighbours} neighbours. Import it again.`,
    );
  if (byBlocks !== undefined && typeof byBlocks !== 'boolean')
    throw new VisionError(
      'invalid_model',
      `The model says ${JSON.stringify(byBlocks)} of a search by blocks, which is true or false. Import it again.`,
    );
  return { candidates, byBlocks };
}
