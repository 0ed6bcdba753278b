/** Letters of a gram, as in migration 0010. */
export const gramLength = 4;

/** Grams of a long name that are compared: more would tell little, and cost. */
const mostGrams = 8;

/** The letters of a name as `items.folded_name` has them. */
export function foldName(name: string): string[] {
  return [...name.normalize('NFC').replace(/[A-Z]/g, (letter) => letter.toLowerCase())];
}

/** Grams spread over the whole name. Give at least as many letters as a gram has. */
export function gramsOf(letters: readonly string[]): string[] {
  const places = letters.length - gramLength + 1;
  const taken = Math.min(places, mostGrams);
  const starts = Array.from({ length: taken }, (_, index) => Math.floor((index * places) / taken));
  return [...new Set(starts.map((start) => letters.slice(start, start + gramLength).join('')))];
}

/** For `folded_name like … escape '\\'`: names that hold this one. */
export function toPattern(name: string): string {
  return `%${foldName(name)
    .join('')
    .replace(/[\\%_]/g, '\\$&')}%`;
}
