import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { openBrowser, pageHeaders } from '../support/page-browser.ts';
import { startTestService, type TestService, testClient } from '../support/test-service.ts';

const password = 'a password of the tests';
const pin = '4826';
let service: TestService;
const ids = new Map<string, string>();

beforeAll(async () => {
  service = await startTestService({}, { work: false });
  for (const [name, role] of [
    ['Ann', 'engineer'],
    ['Ina', 'inspector'],
    ['Ivo', 'inspector'],
    ['Vic', 'viewer'],
    ['Root', 'admin'],
  ] as const)
    ids.set(name, await addUser(name, role));
});
afterAll(() => service.stop());

async function addUser(name: string, role: string): Promise<string> {
  const made = await service.call('POST', '/api/v1/users', { body: { name, role, password } });
  return (made.body as { data: { user_id: string } }).data.user_id;
}

type Browser = ReturnType<typeof openBrowser>;

const pinPath = '/api/v1/session/pin';
const terminalPath = '/api/v1/session/terminal';

async function signedIn(name: string): Promise<Browser> {
  const browser = openBrowser(service);
  expect((await browser.signIn(name, password)).status).toBe(200);
  return browser;
}

async function setPin(name: string, value: string | null = pin) {
  const answer = await (await signedIn(name)).call('PUT', pinPath, { pin: value });
  expect(answer.status).toBe(204);
}

/** A browser that an engineer made a terminal, and then left. */
async function openTerminal(name = 'Cell 4'): Promise<Browser> {
  const browser = await signedIn('Ann');
  expect((await browser.call('PUT', terminalPath, { name })).status).toBe(204);
  await browser.call('DELETE', '/api/v1/session');
  return browser;
}

const switchTo = (browser: Browser, name: string, value = pin) =>
  browser.call('POST', pinPath, { user_id: ids.get(name) ?? name, pin: value });
const terminalOf = async (browser: Browser) =>
  ((await browser.call('GET', '/api/v1/session')).body as { data: { terminal: unknown } }).data.terminal;
const lastEntry = () => service.db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').executeTakeFirst();

describe('a shared terminal', () => {
  it('lets people take turns by PIN, each with the own role and in the trail', async () => {
    await setPin('Ina');
    await setPin('Vic', '739251');
    const browser = await openTerminal();
    expect(await terminalOf(browser)).toEqual({
      name: 'Cell 4',
      people: [
        { user_id: ids.get('Ina'), name: 'Ina' },
        { user_id: ids.get('Vic'), name: 'Vic' },
      ],
    });
    expect((await switchTo(browser, 'Ina')).body).toMatchObject({
      data: { account: { name: 'Ina', role: 'inspector', method: 'pin', has_pin: true } },
    });
    const first = browser.cookies.get('kensa_session');
    expect(await lastEntry()).toMatchObject({ act: 'session.sign-in', caller_name: 'Ina' });
    expect((await lastEntry())?.details).toBe('{"method":"pin","terminal":"Cell 4"}');
    expect((await switchTo(browser, 'Vic', '739251')).status).toBe(200);
    expect(await browser.role()).toBe('viewer');
    // The session of the person before is over.
    const old = openBrowser(service);
    old.cookies.set('kensa_session', first ?? '');
    expect(await old.role()).toBeUndefined();
    const rows = await service.db.selectFrom('users').select('pin_hash').where('name', '=', 'Ina').execute();
    expect(rows[0]?.pin_hash).toMatch(/^\$argon2id\$/);
  });

  it('is named by a cookie that scripts do not get and that nobody can make up', async () => {
    const browser = await signedIn('Ann');
    const answer = await browser.call('PUT', terminalPath, { name: 'Cell 5' });
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^kensa_terminal=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000$/,
    );
    const rows = await service.db.selectFrom('terminals').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('kensa_terminal'));
    for (const made of [undefined, 'Cell 5', 'A'.repeat(43), rows[0]?.terminal_hash]) {
      const stranger = openBrowser(service);
      if (made !== undefined) stranger.cookies.set('kensa_terminal', made);
      expect(await terminalOf(stranger)).toBeNull();
      expect(expectError(await switchTo(stranger, 'Ina'), 403)).toMatchObject({ code: 'pin-not-allowed' });
    }
    await browser.call('DELETE', terminalPath);
    expect(await terminalOf(browser)).toBeNull();
    expect(await lastEntry()).toMatchObject({ act: 'terminal.disable', caller_name: 'Ann' });
  });

  it('is made by an engineer who came with the password, and no person below, client or PIN', async () => {
    expectError(await (await signedIn('Ina')).call('PUT', terminalPath, { name: 'mine' }), 403);
    const asClient = await service.call('PUT', terminalPath, { body: { name: 'mine' } });
    expect(expectError(asClient, 403)).toMatchObject({ code: 'password-needed' });
    const client = openBrowser(service);
    await client.signIn(testClient.clientId, testClient.secret);
    expectError(await client.call('PUT', terminalPath, { name: 'mine' }), 403);
    expectError(await client.call('PUT', pinPath, { pin }), 403);
    const byPin = await openTerminal();
    await switchTo(byPin, 'Ina');
    expect(expectError(await byPin.call('PUT', pinPath, { pin: '8642' }), 403)).toMatchObject({
      code: 'password-needed',
    });
  });

  it('is listed for an admin with who is there, and ended at once from afar, with the session there', async () => {
    await setPin('Ina');
    const browser = await openTerminal('Cell 9');
    type Row = { terminal_id: string; name: string; address: string; used_at: string; signed_in: object | null };
    const list = async () => (await service.call('GET', '/api/v1/terminals')).body as unknown as { data: Row[] };
    const find = async () => (await list()).data.find(({ name }) => name === 'Cell 9');
    const made = await find();
    expect(made).toMatchObject({ address: '127.0.0.1', signed_in: null });
    await switchTo(browser, 'Ina');
    expect(await find()).toMatchObject({ signed_in: { name: 'Ina', method: 'pin' } });
    expect((await find())?.used_at.localeCompare(made?.used_at ?? '')).toBe(1);
    expect(JSON.stringify(await list())).not.toContain(browser.cookies.get('kensa_terminal'));
    const elsewhere = await signedIn('Ina');
    const path = `/api/v1/terminals/${made?.terminal_id}`;
    expectError(await (await signedIn('Ann')).call('DELETE', path), 403);
    for (const id of ['%', '_'.repeat(12), '0'.repeat(12)])
      expectError(await service.call('DELETE', `/api/v1/terminals/${encodeURIComponent(id)}`), 404);
    expect(await browser.role()).toBe('inspector');
    expect((await service.call('DELETE', path)).status).toBe(204);
    expect(await lastEntry()).toMatchObject({
      act: 'terminal.disable',
      caller_name: 'tests',
      target_id: made?.terminal_id,
      details: '{"name":"Cell 9"}',
    });
    expectError(await browser.call('GET', '/api/v1/models/'), 401);
    expect(await terminalOf(browser)).toBeNull();
    expect(expectError(await switchTo(browser, 'Ina'), 403)).toMatchObject({ code: 'pin-not-allowed' });
    expect(await find()).toBeUndefined();
    expect(expectError(await service.call('DELETE', path), 404)).toMatchObject({ code: 'terminal-not-found' });
    expect(await elsewhere.role()).toBe('inspector');
    // A person who came with the password is seen there, too: who made it, and who signs in there.
    const other = await signedIn('Ann');
    const there = async () => (await list()).data.find(({ name }) => name === 'Cell 10')?.signed_in;
    await other.call('PUT', terminalPath, { name: 'Cell 10' });
    expect(await there()).toEqual({ name: 'Ann', method: 'password' });
    await other.call('DELETE', '/api/v1/session');
    expect(await there()).toBeNull();
    await other.signIn('Vic', password);
    expect(await there()).toEqual({ name: 'Vic', method: 'password' });
  });

  it('changes nobody for another site (CSRF)', async () => {
    const browser = await openTerminal();
    const body = { user_id: ids.get('Ina'), pin };
    const cookie = `kensa_terminal=${browser.cookies.get('kensa_terminal')}`;
    for (const headers of [{ cookie }, { cookie, ...pageHeaders, origin: 'https://evil.example' }])
      expect(expectError(await service.call('POST', pinPath, { token: null, headers, body }), 403)).toMatchObject({
        code: 'request-forged',
      });
  });
});

describe('a PIN', () => {
  it('opens no role above the setting, and never that of an admin', async () => {
    for (const name of ['Ann', 'Root'])
      expect(expectError(await (await signedIn(name)).call('PUT', pinPath, { pin }), 403)).toMatchObject({
        code: 'pin-not-allowed',
      });
    await setPin('Ivo');
    const browser = await openTerminal();
    expect((await switchTo(browser, 'Ivo')).status).toBe(200);
    const promote = (role: string) => service.call('PUT', `/api/v1/users/${ids.get('Ivo')}`, { body: { role } });
    await promote('admin');
    // The session that is open does not grow with the role, and no new one opens.
    expect(await browser.role()).toBeUndefined();
    expectError(await switchTo(browser, 'Ivo'), 401);
    expect(JSON.stringify(await terminalOf(browser))).not.toContain('Ivo');
    await promote('inspector');
    expect((await switchTo(browser, 'Ivo')).status).toBe(200);
    for (const KENSA_PIN_ROLE of ['admin', 'all'])
      await expect(startTestService({ KENSA_PIN_ROLE }, { work: false })).rejects.toThrow('KENSA_PIN_ROLE');
  });

  it('works at no address but the page on the terminal', async () => {
    const login = { client_id: 'Ina', client_secret: pin, grant_type: 'client_credentials' };
    for (const id of ['Ina', ids.get('Ina') ?? ''])
      expectError(
        await service.call('POST', '/api/auth/token', { token: null, body: { ...login, client_id: id } }),
        401,
      );
    const browser = await openTerminal();
    expectError(await browser.signIn('Ina', pin), 401);
    expectError(await openBrowser(service).signIn('Ina', pin), 401);
    // The cookie of the terminal alone reads nothing.
    expectError(await browser.call('GET', '/api/v1/models/'), 401);
  });

  it('has 4 to 8 digits that are not the first to be tried', async () => {
    const browser = await signedIn('Ina');
    for (const bad of ['123', '123456789', 'abcd', '12 4', '１２３４', '', '1234', '9876', '0000', '8901', 4826])
      expectError(await browser.call('PUT', pinPath, { pin: bad }), 422);
    for (const good of ['4826', '90215374'])
      expect((await browser.call('PUT', pinPath, { pin: good })).status).toBe(204);
    await browser.call('PUT', pinPath, { pin });
  });

  it('is locked by five wrong tries, at whatever terminal and however many at once; the password is not', async () => {
    const browser = await openTerminal();
    const [other, another] = [await openTerminal('Cell 6'), await openTerminal('Cell 7')];
    const guesses = Array.from({ length: 12 }, (_, guess) =>
      switchTo([browser, other, another][guess % 3] as Browser, 'Ina', String(5000 + guess)),
    );
    const codes = (await Promise.all(guesses)).map(
      ({ body }) => (body['errors'] as { code?: string } | undefined)?.code,
    );
    expect(codes.filter((code) => code === 'pin-refused')).toHaveLength(5);
    expect(codes.filter((code) => code === 'pin-locked')).toHaveLength(7);
    expect(expectError(await switchTo(browser, 'Ina'), 403)).toMatchObject({ code: 'pin-locked' });
    const refused = await service.db
      .selectFrom('audit_log')
      .selectAll()
      .where('act', '=', 'session.refused')
      .where('target_id', '=', ids.get('Ina') ?? '')
      .execute();
    expect(refused.filter(({ details }) => details.includes('"pin"'))).toHaveLength(13);
    expect(JSON.stringify(refused)).not.toContain('5003');
    // Others are not locked, and the password unlocks.
    expect((await switchTo(browser, 'Vic', '739251')).status).toBe(200);
    await signedIn('Ina');
    expect((await switchTo(browser, 'Ina')).status).toBe(200);
  });

  it('is counted per person and terminal: a terminal at which somebody guesses is closed for a minute', async () => {
    const limited = await startTestService({ KENSA_LOGIN_ATTEMPTS: '3' }, { work: false });
    const made = await limited.call('POST', '/api/v1/users', { body: { name: 'Ann', role: 'engineer', password } });
    expect(made.status).toBe(201);
    const browser = openBrowser(limited);
    await browser.signIn('Ann', password);
    await browser.call('PUT', terminalPath, { name: 'Cell 1' });
    for (let guess = 0; guess < 3; guess++)
      expectError(await browser.call('POST', pinPath, { user_id: `nobody ${guess}`, pin }), 401);
    expect(expectError(await browser.call('POST', pinPath, { user_id: 'nobody', pin }), 429)).toMatchObject({
      code: 'rate-limited',
    });
    expect((await browser.signIn('Ann', password)).status).toBe(200);
    await limited.stop();
  });

  it('ends its sessions when it is changed, taken away, or its person is disabled', async () => {
    const browser = await openTerminal();
    await switchTo(browser, 'Ina');
    await setPin('Ina', '8642');
    expect(await browser.role()).toBeUndefined();
    expectError(await switchTo(browser, 'Ina'), 401);
    expect((await switchTo(browser, 'Ina', '8642')).status).toBe(200);
    const disable = (disabled: boolean) =>
      service.call('PUT', `/api/v1/users/${ids.get('Ina')}`, { body: { disabled } });
    await disable(true);
    expect(await browser.role()).toBeUndefined();
    expectError(await switchTo(browser, 'Ina', '8642'), 401);
    await disable(false);
    await setPin('Ina', null);
    expectError(await switchTo(browser, 'Ina', '8642'), 401);
    expect(JSON.stringify(await terminalOf(browser))).not.toContain('Ina');
  });
});
