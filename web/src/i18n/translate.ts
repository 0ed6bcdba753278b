/** Each text in English and Japanese, side by side, so that neither can be missing. */
export type Messages = Readonly<Record<string, readonly [en: string, ja: string]>>;

export type Values = Readonly<Record<string, string | number>>;

/** Fills `{name}` in, and picks a word by number in `{count|item|items}`. */
export function fillIn(template: string, values: Values): string {
  return template
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, name: string, one: string, many: string) =>
      Number(values[name]) === 1 ? one : many,
    )
    .replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? value.toLocaleString('en-US') : (value ?? '');
    });
}
