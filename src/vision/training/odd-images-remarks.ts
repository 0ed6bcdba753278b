import { listNames } from './list-names.ts';

/** Sentences to a person about good images that may be none. */
export function oddImagesRemarks(leftOut: readonly string[], doubtful: readonly string[]): string[] {
  return [
    ...(leftOut.length > 0 ? [`Not learned from, as unlike all others: ${listNames(leftOut)}.`] : []),
    ...(doubtful.length > 0 ? [`Please look whether these are good, they differ most: ${listNames(doubtful)}.`] : []),
  ];
}
