/** Texts in English and Japanese. */
export type Messages = Readonly<Record<string, readonly [en: string, ja: string]>>;

export type Values = Readonly<Record<string, string | number>>;

/** Replaces `{name}` by its value, and `{count|item|items}` by the singular or the plural. */
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
