import { setTimeout as pause } from 'node:timers/promises';
import { translateStatus } from '../../http/language.ts';
import type { Language } from '../../messages/message.ts';
import type { ModelView } from './models.schemas.ts';

const pollMs = 400;
const heartbeatMs = 15_000;
const finalStates = ['ready', 'failed', 'cancelled'];

/**
 * Server-sent events of one model: `progress` with the model each time it changes, and `end` with it when it is ready,
 * has failed, or was cancelled. Ends without `end` where the model is deleted or `signal` is aborted.
 */
export async function* generateModelEvents(
  readModel: () => Promise<ModelView | undefined>,
  signal: AbortSignal,
  language: Language,
): AsyncGenerator<string> {
  let known = '';
  let quietMs = 0;
  while (!signal.aborted) {
    const model = await readModel();
    if (!model) return;
    translateStatus(model, language);
    const isFinal = finalStates.includes(model.status ?? '');
    const state = `${model.status} ${model.status_text} ${model.updated_at}`;
    if (state !== known || isFinal) {
      yield `event: ${isFinal ? 'end' : 'progress'}\ndata: ${JSON.stringify(model)}\n\n`;
      known = state;
      quietMs = 0;
    } else if (quietMs >= heartbeatMs) {
      // Proxies close connections that are silent.
      yield ': still here\n\n';
      quietMs = 0;
    }
    if (isFinal) return;
    quietMs += pollMs;
    await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
