import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { followModel } from './follow-model.ts';
import { createKensaApi } from './kensa-api.ts';

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/** A service that answers with these pieces, as a network may cut them, and a status. */
async function serve(pieces: readonly string[], status = 200): Promise<ReturnType<typeof createKensaApi>> {
  server = createServer(async (_request, response) => {
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return createKensaApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, (request) => fetch(request));
}

async function collect(api: ReturnType<typeof createKensaApi>): Promise<(string | null | undefined)[]> {
  const texts: (string | null | undefined)[] = [];
  for await (const model of followModel(api, 'm')) texts.push(model.status_text);
  return texts;
}

it('reads one model an event, wherever the network cuts them, and passes over comments', async () => {
  const api = await serve([
    'event: progress\ndata: {"status_text":"10 %"}\n',
    '\n: still here\n\nevent: prog',
    'ress\ndata: {"status_text":"学習中 50 %"}\n\nevent: end\ndata: {"status_',
    'text":"Ready."}\n\n',
  ]);
  expect(await collect(api)).toEqual(['10 %', '学習中 50 %', 'Ready.']);
});

it('ends when the connection does, and drops the event that was cut off', async () => {
  expect(await collect(await serve(['data: {"status_text":"10 %"}\n\ndata: {"stat']))).toEqual(['10 %']);
});

it('is refused with the error of the service', async () => {
  const body = JSON.stringify({ errors: { title: 'Not found', detail: 'There is no model m.' } });
  await expect(collect(await serve([body], 404))).rejects.toMatchObject({ status: 404, title: 'Not found' });
});
