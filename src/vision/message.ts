import type { Message, MessageValue } from './types.ts';

export type { Message } from './types.ts';

/** Names in `{name}` and `{name|image|images}`. */
type SlotName<Slot extends string> = Slot extends `${infer Name}|${string}` ? Name : Slot;

/** Names of the values that a text of a catalogue needs. */
export type Slots<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? SlotName<Slot> | Slots<Rest>
  : never;

/** Slots that hold messages. Messages of a list follow each other as sentences. */
const sentenceSlots = ['reason', 'problem', 'remedy'] as const;
type SentenceSlot = (typeof sentenceSlots)[number];

/**
 * The values that a text needs. Slots for sentences take messages, so that every language has the sentence. `item_ids`
 * are not in the text: they tell a program which items its names are.
 */
export type MessageValues<Text extends string> = {
  readonly [Name in Slots<Text>]: Name extends SentenceSlot ? Message | readonly Message[] : MessageValue;
} & { readonly item_ids?: readonly string[] };

/** No argument for a text without values. */
export type ValuesArgument<Text extends string> = [Slots<Text>] extends [never] ? [] : [values: MessageValues<Text>];

/** Texts by code. `{name}` is replaced by the value; `{name|image|images}` by the first word where the value is 1. */
export interface Catalogue {
  readonly texts: Readonly<Record<string, string>>;
  readonly separators: {
    /** Between names of a list. */
    readonly names: string;
    readonly sentences: string;
  };
}

/** The message in the words of the catalogue. A code that it lacks, as of a newer release, is shown as it is. */
export function renderMessage({ code, values }: Message, catalogue: Catalogue): string {
  const { texts, separators } = catalogue;
  const text = texts[code];
  if (text === undefined) return `${code} ${JSON.stringify(values)}`;
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (one !== undefined) return (value === 1 ? one : many) ?? '';
    return renderValue(value, catalogue, isSentence(name) ? separators.sentences : separators.names);
  });
}

const isSentence = (name: string): boolean => sentenceSlots.some((slot) => slot === name);

function renderValue(value: MessageValue | undefined, catalogue: Catalogue, separator: string): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  if (typeof value === 'string') return value;
  if ('code' in value) return renderMessage(value, catalogue);
  return value.map((part) => renderValue(part, catalogue, separator)).join(separator);
}
