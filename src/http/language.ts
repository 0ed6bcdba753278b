import { type Language, type Message, render, renderAll } from '../messages/message.ts';

/** The first language of an `Accept-Language` header, if it is one of ours; English otherwise. */
export function languageOf({ headers }: { readonly headers: { 'accept-language'?: string | undefined } }): Language {
  return /^\s*ja\b/i.test(headers['accept-language'] ?? '') ? 'ja' : 'en';
}

interface WithMessages {
  status_messages?: (Message & { text: string })[];
  status_text?: string | null;
}

/** Translates the messages of all models and items in a body. They come in English. */
export function translateStatus(body: unknown, language: Language): void {
  if (typeof body !== 'object' || body === null || language === 'en') return;
  const view = body as WithMessages;
  const { status_messages: messages } = view;
  if (messages === undefined) {
    for (const inner of Object.values(body)) translateStatus(inner, language);
    return;
  }
  view.status_messages = messages.map((message) => ({ ...message, text: render(message, language) }));
  view.status_text = messages.length > 0 ? renderAll(messages, language) : null;
}
