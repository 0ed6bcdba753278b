import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { KensaApi } from './kensa-api.ts';
import type { Model } from './shapes.ts';

/**
 * Yields the model each time its training moves on, from the server-sent events of the service. The last one is final.
 * Ends early if the connection does. @throws KensaError if the service refuses the request.
 */
export async function* followModel(api: KensaApi, modelId: string, signal?: AbortSignal): AsyncGenerator<Model> {
  const { data } = await api.GET('/api/v1/models/{model_id}/events', {
    params: { path: { model_id: modelId } },
    headers: { accept: 'text/event-stream' },
    parseAs: 'stream',
    signal: signal ?? null,
  });
  if (!data) return;
  const text = (data as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream());
  const events = text.pipeThrough(new EventSourceParserStream());
  for await (const event of events) yield JSON.parse(event.data) as Model;
}
