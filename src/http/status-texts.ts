import { type Language, type Message, render, renderAll } from '../messages/message.ts';

interface WithMessages {
  status_messages?: (Message & { text: string })[];
  status_text?: string | null;
}

/** Models and items come with the English of their messages. This puts another language into all of a body. */
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
