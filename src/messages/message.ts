import { engineCatalogue, engineTexts } from '../vision/engine-messages.ts';
import { type Catalogue, type Message, renderMessage, type ValuesArgument } from '../vision/message.ts';
import japaneseTexts from './japanese-texts.json' with { type: 'json' };
import { serverTexts } from './server-texts.ts';

export type { Message } from '../vision/message.ts';
export type Language = 'en' | 'ja';

const englishTexts = { ...engineTexts, ...serverTexts };
export type TextCode = keyof typeof englishTexts;

/** Every message in every language. */
export const catalogues: Readonly<Record<Language, Catalogue>> = {
  en: { ...engineCatalogue, texts: englishTexts },
  ja: { texts: japaneseTexts satisfies Record<TextCode, string>, separators: { names: '、', sentences: '' } },
};

/** A message with the values that its text needs. */
export function say<Code extends TextCode>(
  code: Code,
  ...[values]: ValuesArgument<(typeof englishTexts)[Code]>
): Message {
  return { code, values: values ?? {} };
}

export function render(message: Message, language: Language): string {
  return renderMessage(message, catalogues[language]);
}

/** Messages as one text: sentence after sentence, but a line for each remark on an image. */
export function renderAll(messages: readonly Message[], language: Language): string {
  const isByImage = messages.some(({ code }) => code === 'status.of-image');
  const separator = isByImage ? '\n' : catalogues[language].separators.sentences;
  return messages.map((message) => render(message, language)).join(separator);
}

/** The stored messages of a model or an item as the API shows them, in English; `http/` translates. */
export function statusView(stored: string | null | undefined) {
  const messages = readMessages(stored);
  return {
    status_text: messages.length > 0 ? renderAll(messages, 'en') : null,
    status_messages: messages.map((message) => ({ ...message, text: render(message, 'en') })),
  };
}

/** Messages as a column of the database holds them. */
export function storeMessages(messages: readonly Message[]): string {
  return JSON.stringify(messages);
}

/** Messages that were stored; the plain text of an earlier version is shown as it is. */
export function readMessages(stored: string | null | undefined): Message[] {
  if (!stored) return [];
  if (stored.startsWith('[{"code":')) return JSON.parse(stored) as Message[];
  return [say('text', { text: stored })];
}
