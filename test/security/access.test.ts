import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedUrls } from '../../src/domains/files/signed-urls.ts';
import { demoFiles } from '../support/demo-images.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService, testClient } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, { work: false });
});
afterAll(() => service.stop());

describe('a token', () => {
  const claims = {
    sub: testClient.clientId,
    iss: 'kensa',
    aud: 'kensa-api',
    scope: 'all',
    exp: Math.floor(Date.now() / 1000) + 600,
  };
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const attempt = (token: string) => service.call('GET', '/api/v1/models/', { token });

  it.each(['none', 'None', 'nOnE'])('without a signature (alg %s) is refused', async (alg) => {
    expectError(await attempt(`${encode({ alg, typ: 'JWT' })}.${encode(claims)}.`), 401);
  });

  it('signed with another key, or with an empty one, is refused', async () => {
    for (const key of ['another key of thirty-two bytes!', 'x'.repeat(64)]) {
      const sign = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' });
      expectError(await attempt(await sign.sign(Buffer.from(key))), 401);
    }
    const unsigned = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
    expectError(await attempt(`${unsigned}.${createHmac('sha256', '').update(unsigned).digest('base64url')}`), 401);
  });

  it('that names a key of its own, or a place to fetch one from, is refused', async () => {
    const jwk = { kty: 'oct', k: Buffer.from('mine').toString('base64url') };
    for (const header of [{ jwk }, { jku: 'http://127.0.0.1:1/keys' }, { kid: '../../dev/null' }]) {
      const unsigned = `${encode({ alg: 'HS256', ...header })}.${encode(claims)}`;
      expectError(
        await attempt(`${unsigned}.${createHmac('sha256', 'mine').update(unsigned).digest('base64url')}`),
        401,
      );
    }
  });

  it('with claims changed after it was signed is refused', async () => {
    const [header, , signature] = service.token.split('.');
    expectError(await attempt(`${header}.${encode({ ...claims, sub: 'administrator' })}.${signature}`), 401);
  });

  it('is asked for on every operation but login, health, signed files and the documentation', async () => {
    const document = (await service.call('GET', '/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { security?: unknown[] }>>;
    };
    const open: string[] = [];
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of Object.keys(operations)) {
        const url = path.replace(/\{[^}]+\}/g, 'x');
        const { status } = await service.call(method.toUpperCase(), url, { token: null });
        if (status !== 401) open.push(path);
      }
    }
    expect([...new Set(open)].sort()).toEqual([
      '/api/auth/token',
      '/api/v1/files/{variant}/{file}',
      '/api/v1/session',
      '/api/v1/session/pin',
      '/api/v1/session/sso',
      '/healthz',
      '/readyz',
    ]);
  });
});

describe('guessing a secret', () => {
  it('is stopped after a few attempts a minute, whatever address the request claims', async () => {
    const guarded = await startTestService({ KENSA_LOGIN_ATTEMPTS: '5' }, { work: false });
    const guess = (secret: string, headers = {}) =>
      guarded.call('POST', '/api/auth/token', {
        token: null,
        headers,
        body: { client_id: testClient.clientId, client_secret: secret, grant_type: 'client_credentials' },
      });
    for (let attempt = 0; attempt < 5; attempt++) expectError(await guess(`guess ${attempt}`), 401);
    const refused = await guess('guess 6', { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' });
    expectError(refused, 429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expectError(await guess(testClient.secret), 429);
    await guarded.stop();
  });

  it('takes as long whether there is such a client or not, with a chosen secret and with a generated one', async () => {
    const made = await service.call('POST', '/api/v1/clients', { body: { name: 'Camera 1', scope: 'viewer' } });
    const { client_id: generated } = (made.body as { data: { client_id: string } }).data;
    const times = new Map<string, number[]>();
    for (let round = 0; round < 5; round++)
      for (const client_id of ['nobody', testClient.clientId, generated]) {
        const startedAt = performance.now();
        const body = { client_id, client_secret: 'a guess', grant_type: 'client_credentials' };
        expectError(await service.call('POST', '/api/auth/token', { token: null, body }), 401);
        times.set(client_id, [...(times.get(client_id) ?? []), performance.now() - startedAt]);
      }
    // The hash takes most of the time. Without it an answer takes a tenth.
    const quickest = [...times.values()].map((all) => Math.min(...all));
    expect(Math.min(...quickest), quickest.join(', ')).toBeGreaterThan(Math.max(...quickest) / 3);
  });
});

describe('behind a proxy that is trusted', () => {
  it('one camera with a wrong secret locks out no other, and cannot pass for another address', async () => {
    const guarded = await startTestService(
      { KENSA_LOGIN_ATTEMPTS: '3', KENSA_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' },
      { work: false },
    );
    const login = (secret: string, forwardedFor: string) =>
      guarded.call('POST', '/api/auth/token', {
        token: null,
        headers: { 'x-forwarded-for': forwardedFor },
        body: { client_id: testClient.clientId, client_secret: secret, grant_type: 'client_credentials' },
      });
    for (let attempt = 0; attempt < 3; attempt++) expectError(await login('wrong', '192.168.1.7'), 401);
    expectError(await login(testClient.secret, '192.168.1.7'), 429);
    // What a client writes into the header itself stands before the address that the proxy adds.
    expectError(await login(testClient.secret, '203.0.113.9, 192.168.1.7, 10.0.0.2'), 429);
    expect((await login(testClient.secret, '192.168.1.8')).status).toBe(200);
    await guarded.stop();
  });
});

describe('a signed link', () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const urls = createSignedUrls({ secret: Buffer.alloc(32, 7), origin: '', now: () => now });
  const hash = 'ab'.repeat(32);
  const parse = (link: string) => {
    const url = new URL(link, 'http://kensa');
    const [, , , , variant = '', file = ''] = url.pathname.split('/');
    return {
      variant,
      file,
      expires: url.searchParams.get('expires') ?? '',
      signature: url.searchParams.get('signature') ?? '',
    };
  };

  it('works for an hour at least and then no more', () => {
    const { variant, file, expires, signature } = parse(urls.sign('image', hash, 'png'));
    expect(urls.verify(variant, file, expires, signature)).toBe(true);
    now += 3_599_000;
    expect(urls.verify(variant, file, expires, signature)).toBe(true);
    now += 3_600_000;
    expect(urls.verify(variant, file, expires, signature)).toBe(false);
    expect(urls.verify(variant, file, String(Number(expires) + 7200), signature)).toBe(false);
  });

  it('works for no other file, format or variant, and not with part of its signature', () => {
    const { variant, file, expires, signature } = parse(urls.sign('image', hash, 'png'));
    expect(urls.verify(variant, file, expires, signature)).toBe(true);
    expect(urls.verify(variant, `${'cd'.repeat(32)}.png`, expires, signature)).toBe(false);
    expect(urls.verify(variant, `${hash}.svg`, expires, signature)).toBe(false);
    expect(urls.verify('heatmap', file, expires, signature)).toBe(false);
    for (const cut of ['', signature.slice(0, 10), `${signature}AA`])
      expect(urls.verify(variant, file, expires, cut)).toBe(false);
  });

  it('of the service is refused with one character changed, and opens nothing beside its folder', async () => {
    const { training } = await demoFiles({ good: 1, testGood: 0, testDefect: 0 });
    const {
      item_ids: [id],
    } = (await service.upload(training, { training: 'true' })).body['data'] as unknown as { item_ids: string[] };
    const item = (await service.call('GET', `/api/v1/items/${id}`)).body['data'] as unknown as {
      images: { url: string }[];
    };
    const link = item.images[0]?.url ?? '';
    expect((await service.call('GET', link, { token: null })).status).toBe(200);
    const changed = link.replace(/signature=(.)/, (_, first: string) => `signature=${first === 'A' ? 'B' : 'A'}`);
    expectError(await service.call('GET', changed, { token: null }), 403);
    for (const name of ['..%2f..%2fkensa.db', '../../kensa.db', '%2e%2e%2fkensa.db', 'kensa.db%00.png']) {
      const { status, bytes } = await service.call('GET', link.replace(/[0-9a-f]{64}\.\w+/, name), { token: null });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(bytes.includes('SQLite format')).toBe(false);
    }
  });
});
