import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let port: number;
const open: Socket[] = [];
const patience = { timeout: 20_000, interval: 50 };

beforeAll(async () => {
  service = await startTestService({}, { work: false });
  const { server } = service.app;
  expect(server.headersTimeout).toBeLessThanOrEqual(15_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(300_000);
  // The same server, less patient, so that the test need not wait for minutes.
  server.headersTimeout = 1000;
  server.requestTimeout = 2500;
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = server.address() as { port: number });
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});
afterAll(() => service.stop());

/** Sends the beginning, then a byte now and then for as long as the server listens. @returns what it answered. */
async function trickle(beginning: string, byte: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  open.push(socket);
  let answer = '';
  let closed = false;
  socket.on('data', (text) => {
    answer += text;
  });
  socket.on('close', () => {
    closed = true;
  });
  socket.on('error', () => {});
  socket.write(beginning);
  while (!closed) {
    await pause(100);
    if (socket.writable) socket.write(byte);
  }
  return answer;
}

const upload = (path: string, field: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: kensa',
    `Authorization: Bearer ${service.token}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 60000000',
    '',
    '--b',
    `Content-Disposition: form-data; name="${field}"; filename="a.png"`,
    '',
    'PNG',
  ].join('\r\n');

it('headers that never end are given up, and a hundred of them keep nobody from being answered', async () => {
  const before = performance.now();
  const slow = Array.from({ length: 100 }, () =>
    trickle('GET /api/v1/models/ HTTP/1.1\r\nHost: kensa\r\nX-Slow: ', 'a'),
  );
  await pause(200);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(performance.now() - before).toBeLessThan(20_000);
});

it.each([
  ['/api/v1/items/', 'files'],
  ['/api/v1/models/import', 'models'],
])('a body to %s that comes byte by byte is given up, and nothing of it stays', async (path, field) => {
  const spool = join(service.dataDir, 'uploads');
  const slow = Array.from({ length: 20 }, () => trickle(upload(path, field), 'a'));
  if (field === 'models') await vi.waitFor(() => expect(readdirSync(spool)).toHaveLength(20), patience);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  for (const answer of await Promise.all(slow)) expect(answer === '' || /^HTTP\/1\.1 4/.test(answer)).toBe(true);
  await vi.waitFor(() => expect(existsSync(spool) ? readdirSync(spool) : []).toEqual([]), patience);
  const connections = () =>
    new Promise((resolve, reject) => {
      service.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  // What is left is the connection of `fetch`.
  await vi.waitFor(async () => expect(await connections()).toBeLessThanOrEqual(1), patience);
  const list = await service.call('GET', '/api/v1/items/?item_type=prediction');
  expect(list.body['data']).toMatchObject({ total: 0 });
});
