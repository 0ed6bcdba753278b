import { expect, it } from 'vitest';
import { generateModelEvents } from './model-events.ts';
import type { ModelView } from './models.schemas.ts';

const model = (status: string, status_text: string): ModelView => ({
  ...{ model_id: 'm', name: 'm', algorithm_id: 'patchcore', algorithm_type: 'anomaly_detection', version: '1' },
  ...{ context_id: 1, created_at: '2026-11-21T00:00:00.000Z', updated_at: '2026-11-21T00:00:00.000Z' },
  status,
  status_text,
});

async function collect(states: (ModelView | undefined)[], signal = new AbortController().signal): Promise<string[]> {
  const left = [...states];
  const events: string[] = [];
  for await (const event of generateModelEvents(async () => left.shift(), signal, 'en')) events.push(event);
  return events;
}

it('tells of each change once and ends with the final state', async () => {
  const events = await collect([
    model('queued', 'Waiting.'),
    model('training', '10 %'),
    model('training', '10 %'),
    model('ready', 'Ready.'),
    model('ready', 'never read'),
  ]);
  expect(events.map((event) => event.split('\n')[0])).toEqual(['event: progress', 'event: progress', 'event: end']);
  expect(JSON.parse(events[2]?.split('\ndata: ')[1] ?? '')).toMatchObject({ status: 'ready', status_text: 'Ready.' });
  expect(events.every((event) => event.endsWith('\n\n'))).toBe(true);
});

it('ends where the model is deleted', async () => {
  expect(await collect([model('training', '1 %'), undefined])).toHaveLength(1);
});

it('ends at once when the service stops', async () => {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 50);
  const startedAt = performance.now();
  const events = await collect(new Array(100).fill(model('training', '1 %')), stopping.signal);
  expect(events).toHaveLength(1);
  expect(performance.now() - startedAt).toBeLessThan(300);
});
