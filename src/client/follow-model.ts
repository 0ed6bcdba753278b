import type { KensaApi } from './kensa-api.ts';
import type { Model } from './shapes.ts';

/**
 * The model each time its training moves on, as the service tells by server-sent events; the last one is final. Ends
 * early where the connection does, and with a KensaError where the service refuses it.
 */
export async function* followModel(api: KensaApi, modelId: string, signal?: AbortSignal): AsyncGenerator<Model> {
  const { data } = await api.GET('/api/v1/models/{model_id}/events', {
    params: { path: { model_id: modelId } },
    headers: { accept: 'text/event-stream' },
    parseAs: 'stream',
    signal: signal ?? null,
  });
  if (!data) return;
  const reader = (data as ReadableStream<Uint8Array>).getReader();
  try {
    for await (const event of splitEvents(reader)) yield JSON.parse(event) as Model;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The data of each event; comments, which keep the connection alive, have none. */
async function* splitEvents(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n').filter((line) => line.startsWith('data:'));
      if (lines.length > 0) yield lines.map((line) => line.slice(5).trimStart()).join('\n');
    }
  }
}
