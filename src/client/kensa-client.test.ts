import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createKensaApi } from './kensa-api.ts';
import { createKensaClient, followModel } from './kensa-client.ts';

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

describe('followModel', () => {
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
});

describe('predictItems', () => {
  /**
   * A service with one waiting job that is never done. Of the predictions, it finishes `doneBetween` before each request.
   * @returns a client, and the number of items in each request that was accepted.
   */
  async function serve({ limit, doneBetween }: { limit: number; doneBetween: number }) {
    const accepted: number[] = [];
    let waiting = 0;
    server = createServer(async (request, response) => {
      const answer = (status: number, body: object) =>
        response
          .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
          .end(JSON.stringify(body));
      let text = '';
      for await (const chunk of request) text += chunk;
      if (request.url === '/api/auth/token') return answer(200, { access_token: 'a', expires_in: 3600 });
      const { item_ids } = JSON.parse(text) as { item_ids: string[] };
      waiting = Math.max(0, waiting - doneBetween);
      if (item_ids.length > limit) return answer(413, { errors: { title: 'Too many' } });
      if (item_ids.length > limit) return answer(413, { errors: { title: 'Too many' } });
      if (1 + waiting + item_ids.length > limit) return answer(425, { errors: { title: 'Busy' } });
      waiting += item_ids.length;
      accepted.push(item_ids.length);
      return answer(200, { data: { item_ids } });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { client: createKensaClient({ baseUrl, clientId: 'me', clientSecret: 'secret' }), accepted };
  }

  const ids = (count: number) => Array.from({ length: count }, (_, index) => `i${index}`);

  it('queues as many items as the limit of the service although a job waits', async () => {
    const { client, accepted } = await serve({ limit: 1000, doneBetween: 20 });
    expect(await client.predictItems('active', ids(1000))).toEqual(ids(1000));
    expect(accepted.length).toBeGreaterThan(5);
  });

  it('sends smaller portions to a service with a small queue', async () => {
    const { client, accepted } = await serve({ limit: 8, doneBetween: 3 });
    expect(await client.predictItems('active', ids(50))).toEqual(ids(50));
    expect(Math.max(...accepted)).toBeLessThan(8);
  });
});
