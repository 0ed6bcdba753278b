import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { type Answer, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let port: number;

beforeAll(async () => {
  service = await startTestService({}, { work: false });
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = service.app.server.address() as { port: number });
});
afterAll(() => service.stop());

/** Sends these bytes, nothing more, and reads the answer. */
async function send(lines: readonly string[], body = ''): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  await new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
  const text = Buffer.concat(chunks).toString('utf8');
  const [head = '', json = ''] = text.split('\r\n\r\n');
  const bytes = Buffer.from(json);
  expect(head).toMatch(/content-type: application\/json/i);
  return { status: Number(head.split(' ')[1]), headers: {}, body: JSON.parse(json) as Answer['body'], bytes };
}

describe('what cannot be read as a request has the one error body too', () => {
  it.each(['/api/v1/targets/%', '/api/v1/models/%zz', '/%c3%28'])('a path such as %s', async (path) => {
    const error = expectError(await service.call('GET', path), 400);
    expect(error).toMatchObject({ title: 'Malformed request', source: { pointer: path } });
  });

  it('no HTTP at all, and a method that there is not', async () => {
    expectError(await send(['hello']), 400);
    expectError(await send(['FOO /api/v1/targets/ HTTP/1.1', 'Host: x']), 400);
  });

  it('a body that is cut off', async () => {
    const head = ['POST /api/auth/token HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 99'];
    expectError(await send(head, '{"client_id":'), 400);
  });

  it('in the language that it names', async () => {
    const answer = await send(['FOO /api/v1/targets/ HTTP/1.1', 'Host: x', 'Accept-Language: ja']);
    expect(expectError(answer, 400).title).toBe('リクエストの形式エラー');
  });

  it('headers that are too long', async () => {
    const answer = await send(['GET /api/v1/targets/?x=1 HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(20_000)}`]);
    expect(expectError(answer, 431).source.pointer).toBe('/api/v1/targets/');
  });
});

describe('an operation without a body', () => {
  const types = ['application/json', 'application/x-www-form-urlencoded', 'application/octet-stream', 'text/plain'];

  it.each(types)('is answered where a client names %s all the same', async (type) => {
    const headers = { 'content-type': type };
    for (const path of ['/api/v1/utils/node_hash', '/api/v1/utils/debug', '/api/v1/targets/model/results'])
      expect((await service.call('POST', path, { headers })).status, path).toBe(200);
    expectError(await service.call('DELETE', '/api/v1/models/?model_ids=nobody', { headers }), 404, 'nobody');
  });

  it('is one that needs a body: it is asked for', async () => {
    const headers = { 'content-type': 'application/json' };
    expectError(await service.call('DELETE', '/api/v1/items/', { headers }), 422, 'body');
    expectError(await service.call('POST', '/api/v1/items/', { headers }), 415);
  });
});

describe('a query field that is not known', () => {
  it.each([
    ['GET', '/api/v1/targets/'],
    ['GET', '/api/v1/models/active'],
    ['POST', '/api/v1/utils/node_hash'],
    ['POST', '/api/v1/models/active/predict'],
    ['POST', '/api/v1/items/'],
    ['POST', '/api/auth/token'],
  ])('is refused by name also by an operation without query fields: %s %s', async (method, path) => {
    expectError(await service.call(method, `${path}?colour=red`), 422, 'colour');
  });
});

describe('a form of too many parts', () => {
  it('is refused in words that name the limit', async () => {
    const files = Array.from({ length: 501 }, (_, index) => ({ name: `${index}.png`, bytes: new Uint8Array([1]) }));
    expect(expectError(await service.upload(files, { training: 'false' }), 413).detail).toContain('500 files');
  });

  it('or of a file that is too large, too', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="files"; filename="large.png"\r\n\r\n';
    const payload = Buffer.concat([
      Buffer.from(head),
      Buffer.alloc(64 * 1024 * 1024 + 1),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await service.app.inject({ method: 'POST', url: '/api/v1/items/', headers, payload });
    expect(answer.statusCode).toBe(413);
    expect(answer.json().errors.detail).toMatch(/^large\.png is too large: .* 64\sMiB/);
  });
});

describe('message', () => {
  it('has one entry for a field, with all that is wrong with it', async () => {
    const path = '/api/v1/algorithms/patchcore/train';
    const { message } = expectError(await service.call('POST', path, { body: { item_ids: ['a', 'b'] } }), 422);
    expect(message).toEqual([{ key: 'item_ids', errors: ['a does not exist.', 'b does not exist.'] }]);
  });
});
