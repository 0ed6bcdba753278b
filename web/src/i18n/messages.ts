import en from './texts.en.json' with { type: 'json' };
import ja from './texts.ja.json' with { type: 'json' };

export type MessageKey = keyof typeof en;

/** The texts of the page by language and key. `fillIn` says what their braces mean. */
export const messages: Readonly<Record<'en' | 'ja', Readonly<Record<MessageKey, string>>>> = { en, ja };

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
