const MOST_NAMES = 10;

function listNames(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

/** Sentences to a person about good images that may be none. */
export function oddImagesRemarks(leftOut: readonly string[], doubtful: readonly string[]): string[] {
  return [
    ...(leftOut.length > 0 ? [`Not learned from, as unlike all others: ${listNames(leftOut)}.`] : []),
    ...(doubtful.length > 0 ? [`Please look whether these are good, they differ most: ${listNames(doubtful)}.`] : []),
  ];
}
