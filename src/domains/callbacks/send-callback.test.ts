import type { lookup } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { say } from '../../messages/message.ts';
import { createCallbackSender } from './send-callback.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const post = { method: 'POST' as const, headers: { 'content-type': 'application/json' }, body: '{"items":[]}' };
const sender = createCallbackSender({ networks: 'private', timeoutMs: 400 });

it('posts the body and counts 2xx as delivered', async () => {
  const received: unknown[] = [];
  const port = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push([request.method, request.url, body]);
      response.statusCode = 204;
      response.end();
    });
  });
  const outcome = await sender.send({ ...post, url: `http://localhost:${port}/hook?line=7` });
  expect(outcome).toMatchObject({ delivered: true, status: 204, error: null });
  expect(received).toEqual([['POST', '/hook?line=7', '{"items":[]}']]);
});

it('does not follow redirects', async () => {
  let calls = 0;
  const port = await listen((_request, response) => {
    calls++;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const outcome = await sender.send({ ...post, url: `http://127.0.0.1:${port}/` });
  expect(outcome).toMatchObject({ delivered: false, status: 302 });
  expect(outcome.error).toEqual(say('callback.redirected', { status: 302 }));
  expect(calls).toBe(1);
});

it('gives up on a receiver that hangs, at the start or in its answer', async () => {
  const silent = await listen(() => undefined);
  const stalled = await listen((_request, response) => void response.writeHead(200).write('x'));
  for (const port of [silent, stalled]) {
    const outcome = await sender.send({ ...post, url: `http://127.0.0.1:${port}/` });
    expect(outcome).toMatchObject({ delivered: false, status: null });
    expect(outcome.error).toEqual(say('callback.too-slow', { seconds: 0.4 }));
    expect(outcome.durationMs).toBeLessThan(1500);
  }
});

it('takes an endless answer for what its status says, without reading it', async () => {
  const port = await listen((_request, response) => {
    const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
    response.on('close', () => clearInterval(more));
  });
  expect(await sender.send({ ...post, url: `http://127.0.0.1:${port}/` })).toMatchObject({
    delivered: true,
    status: 200,
  });
});

it('says why where nothing listens', async () => {
  const outcome = await sender.send({ ...post, url: 'http://127.0.0.1:9/' });
  expect(outcome).toMatchObject({ delivered: false, status: null, error: say('callback.refused') });
});

it('does not call an address that is forbidden, written out or behind a name', async () => {
  let calls = 0;
  const port = await listen((_request, response) => {
    calls++;
    response.end();
  });
  const publicOnly = createCallbackSender({ networks: 'public' });
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
    const outcome = await publicOnly.send({ ...post, url: `http://${host}:${port}/` });
    expect(outcome, host).toMatchObject({ delivered: false, status: null });
    expect(outcome.error?.code, host).toBe('callback.private-address');
  }
  expect(calls).toBe(0);
});

it('checks the address that it connects to, not one that the name had before', async () => {
  let calls = 0;
  const port = await listen((_request, response) => {
    calls++;
    response.end();
  });
  let lookups = 0;
  const rebinding = ((_name: string, _options: unknown, callback: (error: null, found: unknown) => void) => {
    callback(null, [{ address: lookups++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
  }) as unknown as typeof lookup;
  const careful = createCallbackSender({ networks: 'private', resolve: rebinding });
  expect(await careful.send({ ...post, url: `http://camera.example:${port}/` })).toMatchObject({ delivered: true });
  const second = await careful.send({ ...post, url: `http://camera.example:${port}/` });
  expect(second.error).toEqual(say('callback.reserved-address', { address: '169.254.169.254' }));
  expect(calls).toBe(1);
});
