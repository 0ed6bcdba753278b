import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { openAccounts } from '../support/open-accounts.ts';
import { openBrowser, pageHeaders } from '../support/page-browser.ts';
import { startTestService, type TestService, testClient } from '../support/test-service.ts';

const password = 'a password of the tests';
let service: TestService;

beforeAll(async () => {
  service = await startTestService({}, { work: false });
});
afterAll(() => service.stop());

async function addUser(name: string, role: string, on = service): Promise<string> {
  const made = await on.call('POST', '/api/v1/users', { body: { name, role, password } });
  expect(made.status).toBe(201);
  return (made.body as { data: { user_id: string } }).data.user_id;
}

describe('the first start', () => {
  it('lets nobody in without the secret of a client, and leads from there to the first admin', async () => {
    const stranger = openBrowser(service);
    expect((await stranger.call('GET', '/api/v1/session')).body).toEqual({
      data: { account: null, first_start: true, single_sign_on: null, pin_role: 'inspector', terminal: null },
    });
    expectError(await stranger.call('POST', '/api/v1/users', { name: 'me', role: 'admin', password }), 401);
    expectError(await stranger.signIn(testClient.clientId, 'a guess at the secret'), 401);
    const owner = openBrowser(service);
    expect((await owner.signIn(testClient.clientId, testClient.secret)).body).toMatchObject({
      data: { account: { kind: 'client', role: 'admin' }, first_start: true },
    });
    expect((await owner.call('POST', '/api/v1/users', { name: 'Ada', role: 'admin', password })).status).toBe(201);
    expect((await owner.signIn('ADA', password)).body).toMatchObject({
      data: { account: { kind: 'user', name: 'Ada', role: 'admin' }, first_start: false },
    });
  });
});

describe('a session', () => {
  it('is a cookie that scripts and other sites do not get, secure behind HTTPS', async () => {
    const cookie = async (on: TestService, headers = {}) => {
      const body = { name: testClient.clientId, password: testClient.secret };
      const answer = await on.call('POST', '/api/v1/session', {
        token: null,
        headers: { ...pageHeaders, ...headers },
        body,
      });
      return String(answer.headers['set-cookie']);
    };
    const plain = await cookie(service, { 'x-forwarded-proto': 'https' });
    expect(plain).toMatch(/^kensa_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const proxied = await startTestService({ KENSA_TRUSTED_PROXIES: 'loopback' }, { work: false });
    expect(await cookie(proxied, { 'x-forwarded-proto': 'https' })).toMatch(/; Secure$/);
    await proxied.stop();
  });

  it('gets a new id at each sign-in, whatever cookie came with it, and the old one ends (fixation)', async () => {
    await addUser('Fix', 'viewer');
    const browser = openBrowser(service);
    browser.cookies.set('kensa_session', 'A'.repeat(43));
    await browser.signIn('Fix', password);
    const first = browser.cookies.get('kensa_session') ?? '';
    expect(first).not.toBe('A'.repeat(43));
    await browser.signIn('Fix', password);
    expect(browser.cookies.get('kensa_session')).not.toBe(first);
    const old = openBrowser(service);
    old.cookies.set('kensa_session', first);
    expectError(await old.call('GET', '/api/v1/models/'), 401);
    expect(await browser.role()).toBe('viewer');
  });

  it('is not in the database as the cookie holds it', async () => {
    const browser = openBrowser(service);
    await browser.signIn('Fix', password);
    const rows = await service.db.selectFrom('sessions').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('kensa_session'));
    const users = await service.db.selectFrom('users').select('password_hash').execute();
    for (const user of users) expect(user.password_hash).toMatch(/^\$argon2id\$/);
  });

  it('changes nothing for another site (CSRF)', async () => {
    const browser = openBrowser(service);
    await addUser('Cleo', 'admin');
    await browser.signIn('Cleo', password);
    const labels = { labels: [{ label: 1, name: 'forged' }] };
    const cookie = `kensa_session=${browser.cookies.get('kensa_session')}`;
    const forge = (headers: Record<string, string>) =>
      service.call('PUT', '/api/v1/labels', { token: null, headers: { cookie, ...headers }, body: labels });
    // A form of another site sends no header of ours; a script that sends one is stopped by the browser, or by its origin.
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { ...pageHeaders, origin: 'https://evil.example' },
      { ...pageHeaders, origin: 'null' },
      { ...pageHeaders, origin: 'http://localhost.evil.example' },
    ])
      expect(expectError(await forge(headers), 403)).toMatchObject({ code: 'request-forged' });
    expect((await forge({ ...pageHeaders, origin: 'http://kensa:8080', host: 'kensa:8080' })).status).toBe(200);
    expect((await forge(pageHeaders)).status).toBe(200);
    const signOut = await service.call('DELETE', '/api/v1/session', { token: null, headers: { cookie } });
    expect(expectError(signOut, 403)).toMatchObject({ code: 'request-forged' });
    const signIn = { token: null, headers: {}, body: { name: 'Cleo', password } };
    expect(expectError(await service.call('POST', '/api/v1/session', signIn), 403)).toMatchObject({
      code: 'request-forged',
    });
  });

  it('ends at once: at sign-out, when the person is disabled, and with another password', async () => {
    const id = await addUser('Eve', 'inspector');
    const change = (body: object) => service.call('PUT', `/api/v1/users/${id}`, { body });
    const [first, second] = [openBrowser(service), openBrowser(service)];
    for (const browser of [first, second]) await browser.signIn('Eve', password);
    const stolen = openBrowser(service);
    stolen.cookies.set('kensa_session', first.cookies.get('kensa_session') ?? '');
    await first.call('DELETE', '/api/v1/session');
    expectError(await stolen.call('GET', '/api/v1/models/'), 401);
    expect(await second.role()).toBe('inspector');
    await change({ disabled: true });
    expectError(await second.call('GET', '/api/v1/models/'), 401);
    expectError(await second.signIn('Eve', password), 401);
    await change({ disabled: false });
    expectError(await second.call('GET', '/api/v1/models/'), 401);
    await second.signIn('Eve', password);
    await change({ password: 'another password' });
    expectError(await second.call('GET', '/api/v1/models/'), 401);
    expect((await second.signIn('Eve', 'another password')).status).toBe(200);
    const own = { current: 'another password', password: 'a third password' };
    expectError(await second.call('PUT', '/api/v1/session/password', { ...own, current: 'wrong' }), 401);
    expect((await second.call('PUT', '/api/v1/session/password', own)).status).toBe(204);
    expectError(await second.call('GET', '/api/v1/models/'), 401);
    expect((await second.signIn('Eve', 'a third password')).status).toBe(200);
  });

  it('has the role of this moment, and a person cannot raise it', async () => {
    const id = await addUser('Rosa', 'viewer');
    const browser = openBrowser(service);
    await browser.signIn('Rosa', password);
    for (const role of ['viewer', 'inspector', 'engineer']) {
      await service.call('PUT', `/api/v1/users/${id}`, { body: { role } });
      const raise = await browser.call('PUT', `/api/v1/users/${id}`, { role: 'admin' });
      expect(expectError(raise, 403)).toMatchObject({ code: 'role-insufficient' });
      expectError(await browser.call('POST', '/api/v1/clients', { name: 'mine' }), 403);
      expect(await browser.role()).toBe(role);
    }
    await service.call('PUT', `/api/v1/users/${id}`, { body: { role: 'viewer' } });
    expectError(await browser.call('PUT', '/api/v1/labels', { labels: [] }), 403);
  });

  it('of a client ends when the client is revoked', async () => {
    const made = await service.call('POST', '/api/v1/clients', { body: { name: 'Line 7', scope: 'inspector' } });
    const { client_id: id, client_secret: secret } = (made.body as { data: Record<string, string> }).data;
    const browser = openBrowser(service);
    await browser.signIn(id ?? '', secret ?? '');
    expect(await browser.role()).toBe('inspector');
    await service.call('DELETE', `/api/v1/clients/${id}`);
    expectError(await browser.call('GET', '/api/v1/models/'), 401);
  });

  it('ends after its time', async () => {
    const browser = openBrowser(service);
    await browser.signIn('Cleo', password);
    await service.db.updateTable('sessions').set({ expires_at: '2020-01-01T00:00:00.000Z' }).execute();
    expectError(await browser.call('GET', '/api/v1/models/'), 401);
    expect(await browser.role()).toBeUndefined();
  });
});

describe('people', () => {
  it('keep one administrator, however they go', async () => {
    const alone = await startTestService({}, { work: false });
    const [one, two] = [await addUser('One', 'admin', alone), await addUser('Two', 'admin', alone)];
    const change = (id: string, body: object) => alone.call('PUT', `/api/v1/users/${id}`, { body });
    const answers = await Promise.all([change(one, { disabled: true }), change(two, { role: 'viewer' })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await alone.stop();
  });

  it('have names that differ in more than case, and are found by them', async () => {
    await addUser('Zoë Ｍüller', 'viewer');
    const twice = { name: ' zoë müller ', role: 'viewer', password };
    expectError(await service.call('POST', '/api/v1/users', { body: twice }), 422);
    expect((await openBrowser(service).signIn('ZOË MÜLLER', password)).status).toBe(200);
    expectError(await service.call('POST', '/api/v1/users', { body: { ...twice, name: 'Short', password: '1' } }), 422);
  });
});

describe('guessing a password', () => {
  const limited = { KENSA_LOGIN_ATTEMPTS: '3', KENSA_TRUSTED_PROXIES: 'loopback' };
  const from = (address: string) => ({ ...pageHeaders, 'x-forwarded-for': address });

  it('is limited for an address and an account, locks no camera out, and no person where they work', async () => {
    const guarded = await startTestService(limited, { work: false });
    await addUser('Kim', 'viewer', guarded);
    const desk = openBrowser(guarded, from('192.168.1.5'));
    expect((await desk.signIn('Kim', password)).status).toBe(200);
    const stranger = openBrowser(guarded, from('192.168.1.66'));
    for (let attempt = 0; attempt < 3; attempt++) expectError(await stranger.signIn('Kim', `guess ${attempt}`), 401);
    expect(expectError(await stranger.signIn('Kim', password), 429)).toMatchObject({ code: 'rate-limited' });
    // From more and more addresses: after 20 attempts the account is closed to all of them, and open at the desk.
    let refused = 0;
    for (let host = 0; host < 30; host++) {
      const { status } = await openBrowser(guarded, from(`10.0.0.${host}`)).signIn('Kim', 'guess');
      refused += status === 429 ? 1 : 0;
    }
    // 20 wrong ones: 3 of the first stranger and 17 of the others.
    expect(refused).toBe(13);
    expect((await desk.signIn('Kim', password)).status).toBe(200);
    const token = (headers: object) =>
      guarded.call('POST', '/api/auth/token', {
        token: null,
        headers: { ...headers },
        body: { client_id: testClient.clientId, client_secret: testClient.secret, grant_type: 'client_credentials' },
      });
    // A camera at the stranger's own address still gets its token: the page and the machines are counted apart.
    expect((await token(from('192.168.1.66'))).status).toBe(200);
    await guarded.stop();
  });

  it('at the address that a camera shares with a stranger does not lock it out', async () => {
    const guarded = await startTestService(limited, { work: false });
    const token = (id: string, secret: string) =>
      guarded.call('POST', '/api/auth/token', {
        token: null,
        headers: from('172.16.0.1'),
        body: { client_id: id, client_secret: secret, grant_type: 'client_credentials' },
      });
    expect((await token(testClient.clientId, testClient.secret)).status).toBe(200);
    for (let attempt = 0; attempt < 6; attempt++) await token(`guess ${attempt}`, 'a guess');
    expectError(await token('guess 7', 'a guess'), 429);
    expect((await token(testClient.clientId, testClient.secret)).status).toBe(200);
    await guarded.stop();
  });

  it('keeps no camera out after a restart, whatever a stranger tried at its own address', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kensa-limits-'));
    const before = await startTestService(limited, { work: false, dataDir });
    const made = await before.call('POST', '/api/v1/clients', { body: { name: 'Camera 1', scope: 'inspector' } });
    const camera = (made.body as { data: { client_id: string; client_secret: string } }).data;
    await before.stop();
    const after = await startTestService(limited, { work: false, dataDir });
    const token = (id: string, secret: string) =>
      after.call('POST', '/api/auth/token', {
        token: null,
        headers: from('172.16.0.1'),
        body: { client_id: id, client_secret: secret, grant_type: 'client_credentials' },
      });
    for (let guess = 0; guess < 6; guess++) await token(`guess ${guess}`, 'a guess');
    expectError(await token('guess 7', 'a guess'), 429);
    // A client that chose its secret is counted by itself, and what is right does not count.
    for (let time = 0; time < 5; time++)
      expect((await token(testClient.clientId, testClient.secret)).status, `time ${time}`).toBe(200);
    // Where the stranger knows the id of the camera, too.
    for (let guess = 0; guess < 6; guess++) await token(camera.client_id, `guess ${guess}`);
    expectError(await token(camera.client_id, 'a guess'), 429);
    for (let time = 0; time < 5; time++)
      expect((await token(camera.client_id, camera.client_secret)).status, `time ${time}`).toBe(200);
    // A secret that a person chose, long and random, is as good. One that was kept before by another hash becomes so.
    const chosen = { clientId: 'line 7', secret: 'b13f0de9a4425e1d7c6a58f0932be741', name: 'line 7' };
    const auth = await openAccounts(after.db);
    await auth.addClient(chosen);
    const earlier = { secret_hash: await hash(chosen.secret) };
    await after.db.updateTable('clients').set(earlier).where('client_id', '=', chosen.clientId).execute();
    expect((await token(chosen.clientId, chosen.secret)).status).toBe(200);
    await auth.addClient(chosen);
    for (let guess = 0; guess < 6; guess++) await token(chosen.clientId, `guess ${guess}`);
    expectError(await token(chosen.clientId, 'a guess'), 429);
    for (let time = 0; time < 5; time++)
      expect((await token(chosen.clientId, chosen.secret)).status, `time ${time}`).toBe(200);
    // A short one stays protected: after the guesses even the right one is refused.
    for (let guess = 0; guess < 6; guess++) await token(testClient.clientId, `guess ${guess}`);
    expectError(await token(testClient.clientId, testClient.secret), 429);
    // A client that is revoked comes in no more, and is limited as others are.
    await after.call('DELETE', `/api/v1/clients/${camera.client_id}`);
    expectError(await token(camera.client_id, camera.client_secret), 429);
    await after.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('counts wrong ones only: people who share an address sign in one after the other', async () => {
    const guarded = await startTestService(limited, { work: false });
    const names = Array.from({ length: 5 }, (_, index) => `Person ${index}`);
    for (const name of names) await addUser(name, 'viewer', guarded);
    for (const name of names)
      expect((await openBrowser(guarded, from('192.168.1.9')).signIn(name, password)).status, name).toBe(200);
    await guarded.stop();
  });

  it('leaves an entry for each known name, without what was typed', async () => {
    await openBrowser(service).signIn('my secret typed as a name', 'wrong password');
    await openBrowser(service).signIn('Cleo', 'wrong password');
    const rows = await service.db.selectFrom('audit_log').selectAll().where('act', '=', 'session.refused').execute();
    expect(rows.at(-1)).toMatchObject({ caller_name: 'Cleo' });
    expect(JSON.stringify(rows)).not.toMatch(/my secret|wrong password/);
  });
});
