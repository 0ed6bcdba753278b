import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createKensaClient } from './kensa-client.ts';

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/**
 * A service with one waiting job that is never done. Of the predictions, it finishes `doneBetween` before each request.
 * @returns a client, and the number of items in each request that was accepted.
 */
async function serve({ limit, doneBetween }: { limit: number; doneBetween: number }) {
  const accepted: number[] = [];
  let waiting = 0;
  server = createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify(body));
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
