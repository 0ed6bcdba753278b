/** State of the navigation that leads from an item back to its list. */
export const backFromItem = 'back-from-item';

let last: { readonly search: string; readonly at: number } | undefined;

/** The item that is being looked at, by its place in the list with this address. */
export function rememberPlace(search: string, at: number): void {
  last = { search, at };
}

/** Where to go on in the list after a look at one of its items. */
export function recallPlace(search: string): number | undefined {
  return last?.search === search ? last.at : undefined;
}
