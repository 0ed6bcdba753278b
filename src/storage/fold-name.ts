/**
 * A name as searches compare it: without case, and with full-width and half-width forms alike. Upper case, since the
 * lower case of a letter may depend on its neighbours, and a part of a name must fold as the whole does.
 */
export const foldName = (name: string): string => name.normalize('NFKC').toUpperCase().normalize('NFKC');
