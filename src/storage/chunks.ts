/** SQLite and PostgreSQL both limit the variables of a statement: this many rows of the widest table still fit. */
const chunkSize = 500;

export function* chunks<T>(values: readonly T[]): Generator<T[]> {
  for (let start = 0; start < values.length; start += chunkSize) yield values.slice(start, start + chunkSize);
}
