import { spawnSync } from 'node:child_process';
import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownPath } from '../../src/domains/auth/single-sign-on.ts';
import { bundleService } from '../support/bundle-service.ts';
import { openBrowser } from '../support/page-browser.ts';
import { createSharedDatabase } from '../support/postgres-setup.ts';
import { type Account, publicUrl, settingsFor, signingKeyId, startProvider } from '../support/sign-in-provider.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const accounts: Record<string, Account> = {
  ada: { name: 'Ada', roles: ['staff', 'quality'] },
  bob: { name: 'Bob', roles: 'line' },
  cleo: { name: 'Cleo', roles: 'chiefs' },
  eve: { name: 'Eve', roles: ['constructor', '__proto__'] },
};

let idp: Awaited<ReturnType<typeof startProvider>>;
let service: TestService;
beforeAll(async () => {
  idp = await startProvider(accounts);
  service = await startTestService(settingsFor(idp.issuer), { work: false });
});
afterAll(async () => {
  await service.stop();
  await idp.stop();
});

const begin = async (browser = openBrowser(service), returnTo = '/models') => {
  const answer = await browser.call('GET', `/api/v1/session/sso?return_to=${encodeURIComponent(returnTo)}`);
  expect(answer.status).toBe(302);
  return { browser, url: String(answer.headers['location']) };
};

async function signIn(account: string, returnTo?: string) {
  const { browser, url } = await begin(openBrowser(service), returnTo);
  const back = await idp.visit(url, account);
  const answer = await browser.call('GET', back);
  return { browser, back, location: String(answer.headers['location']) };
}

describe('single sign-on', () => {
  it('asks with PKCE, state and nonce, other ones each time', async () => {
    const asked = async () => new URL((await begin()).url).searchParams;
    const [first, second] = [await asked(), await asked()];
    expect(first.get('response_type')).toBe('code');
    expect(first.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce']) {
      expect(first.get(name), name).toMatch(/^[\w-]{43}$/);
      expect(first.get(name), name).not.toBe(second.get(name));
    }
  });

  it('lets a person in with the highest role that the provider names, and leads back to the screen', async () => {
    const { browser, location } = await signIn('ada', '/models?tab=compare');
    expect(location).toBe('/models?tab=compare');
    expect(await browser.role()).toBe('engineer');
    expect((await browser.call('GET', '/api/v1/models/')).status).toBe(200);
    expect(await (await signIn('bob')).browser.role()).toBe('inspector');
    const users = await service.db.selectFrom('users').select(['name', 'subject', 'password_hash']).execute();
    expect(users).toContainEqual({ name: 'Ada', subject: `${idp.issuer} ada`, password_hash: null });
  });

  it('refuses a person without a role, also one whose claim names a property of every object', async () => {
    const { browser, location } = await signIn('eve');
    expect(location).toBe('/?sign_in=sso-no-role');
    expect(await browser.role()).toBeUndefined();
  });

  it('asks the provider again once the access token has run out: another role counts, and a closed account ends it', async () => {
    const { browser } = await signIn('bob');
    const runOut = () =>
      service.db
        .updateTable('sessions')
        .set({ check_at: '2020-01-01T00:00:00.000Z' })
        .where('check_at', 'is not', null)
        .execute();
    accounts['bob'] = { name: 'Bob', roles: 'quality' };
    await runOut();
    await Promise.all([1, 2, 3].map(() => browser.call('GET', '/api/v1/models/')));
    expect(await browser.role()).toBe('engineer');
    accounts['bob'] = { name: 'Bob', roles: 'nothing' };
    await runOut();
    expect((await browser.call('GET', '/api/v1/models/')).status).toBe(401);
    expect(await browser.role()).toBeUndefined();
    accounts['bob'] = { name: 'Bob', roles: 'line' };
  });

  it('takes the role of the last administrator where the provider does; the command line gives another one', async () => {
    const database =
      process.env['KENSA_TEST_BACKEND'] === 'postgres' ? { DATABASE_URL: await createSharedDatabase() } : {};
    const roles = { KENSA_SSO_ROLES: 'chiefs=admin, quality=engineer' };
    const on = await startTestService({ ...settingsFor(idp.issuer), ...database, ...roles }, { work: false });
    const signInHere = async () => {
      const browser = openBrowser(on);
      const start = await browser.call('GET', '/api/v1/session/sso');
      await browser.call('GET', await idp.visit(String(start.headers['location']), 'cleo'));
      return browser;
    };
    const trail = () =>
      on.db.selectFrom('audit_log').selectAll().where('act', '=', 'user.change').orderBy('seq', 'desc');
    const lost = { name: 'Cleo', role: 'engineer', single_sign_on: true, last_admin: true };
    const first = await signInHere();
    expect(await first.role()).toBe('admin');
    // A session that goes on.
    accounts['cleo'] = { name: 'Cleo', roles: 'quality' };
    await on.db.updateTable('sessions').set({ check_at: '2020-01-01T00:00:00.000Z' }).execute();
    expect((await first.call('GET', '/api/v1/users')).status).toBe(403);
    expect(await first.role()).toBe('engineer');
    expect(JSON.parse((await trail().executeTakeFirstOrThrow()).details)).toEqual(lost);
    // A new sign-in.
    accounts['cleo'] = { name: 'Cleo', roles: 'chiefs' };
    expect(await (await signInHere()).role()).toBe('admin');
    accounts['cleo'] = { name: 'Cleo', roles: 'quality' };
    expect(await (await signInHere()).role()).toBe('engineer');
    expect(JSON.parse((await trail().executeTakeFirstOrThrow()).details)).toEqual(lost);
    const rescue = spawnSync(process.execPath, [bundleService(), 'user', 'add', 'Rescue', '--role', 'admin'], {
      env: { PATH: process.env['PATH'], KENSA_DATA_DIR: on.dataDir, ...database },
      input: 'a password of the tests\n',
      encoding: 'utf8',
    });
    expect(rescue.status, rescue.stderr).toBe(0);
    const rescuer = openBrowser(on);
    await rescuer.signIn('Rescue', 'a password of the tests');
    expect((await rescuer.call('GET', '/api/v1/users')).status).toBe(200);
    await on.stop();
  });

  it('ends the session where the provider renews it with the token of another person', async () => {
    const { browser } = await signIn('ada');
    await service.db
      .updateTable('sessions')
      .set({ check_at: '2020-01-01T00:00:00.000Z' })
      .where('check_at', 'is not', null)
      .execute();
    // The provider signs for another person from here on. Everything else in the token is right.
    const { IdToken } = idp.provider as unknown as { IdToken: { prototype: { issue(use: object): Promise<string> } } };
    const issue = IdToken.prototype.issue;
    IdToken.prototype.issue = function (this: { available: Record<string, unknown> }, use: object) {
      this.available = { ...this.available, sub: 'bob' };
      return issue.call(this as never, use);
    };
    try {
      expect((await browser.call('GET', '/api/v1/models/')).status).toBe(401);
    } finally {
      IdToken.prototype.issue = issue;
    }
    expect(await browser.role()).toBeUndefined();
    const refused = await service.db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').executeTakeFirst();
    expect(refused).toMatchObject({ act: 'session.refused', caller_name: 'Ada' });
    expect((await signIn('ada')).location).toBe('/models');
  });

  it('keeps a session while the provider is down, and asks again once it is back', async () => {
    const other = await startProvider(accounts);
    const on = await startTestService(settingsFor(other.issuer), { work: false });
    const browser = openBrowser(on);
    const start = await browser.call('GET', '/api/v1/session/sso');
    await browser.call('GET', await other.visit(String(start.headers['location']), 'bob'));
    expect(await browser.role()).toBe('inspector');
    await other.stop();
    await on.db.updateTable('sessions').set({ check_at: '2020-01-01T00:00:00.000Z' }).execute();
    expect((await browser.call('GET', '/api/v1/models/')).status).toBe(200);
    const { check_at: next } = await on.db.selectFrom('sessions').select('check_at').executeTakeFirstOrThrow();
    expect(Date.parse(next ?? '') - Date.now()).toBeGreaterThan(30_000);
    expect((await browser.call('DELETE', '/api/v1/session')).status).toBe(200);
    expect(await browser.role()).toBeUndefined();
    await on.stop();
  });

  it('signs out here and at the provider', async () => {
    const { browser } = await signIn('ada');
    const answer = await browser.call('DELETE', '/api/v1/session');
    const url = new URL((answer.body as { data: { sign_out_url: string } }).data.sign_out_url);
    expect(url.origin).toBe(idp.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${publicUrl}/`);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect((await fetch(url, { redirect: 'manual' })).status).toBeLessThan(400);
    expect(await browser.role()).toBeUndefined();
  });

  it('does not let a person in whose account is disabled here', async () => {
    await signIn('ada');
    const user = await service.db
      .selectFrom('users')
      .select('user_id')
      .where('name', '=', 'Ada')
      .executeTakeFirstOrThrow();
    const disable = (disabled: boolean) => service.call('PUT', `/api/v1/users/${user.user_id}`, { body: { disabled } });
    await disable(true);
    expect((await signIn('ada')).location).toBe('/?sign_in=sign-in-refused');
    const refused = await service.db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').executeTakeFirst();
    expect(refused).toMatchObject({ act: 'session.refused', target_id: user.user_id });
    await disable(false);
  });

  it('refuses an answer that is replayed, meant for another browser, or changed', async () => {
    const first = await signIn('ada');
    // The same address again, without and with the cookie of a sign-in.
    const refused = '/?sign_in=sso-refused';
    expect((await first.browser.call('GET', first.back)).headers['location']).toBe(refused);
    expect((await openBrowser(service).call('GET', first.back)).headers['location']).toBe(refused);
    const { browser, url } = await begin();
    const kept = browser.cookies.get('kensa_sso') ?? '';
    const back = await idp.visit(url, 'ada');
    await browser.call('GET', back);
    browser.cookies.set('kensa_sso', kept);
    expect((await browser.call('GET', back)).headers['location']).toBe(refused);
    const other = await begin();
    const theirs = await idp.visit((await begin()).url, 'ada');
    expect((await other.browser.call('GET', theirs)).headers['location']).toBe(refused);
    const third = await begin();
    const mine = await idp.visit(third.url, 'ada');
    const changed = mine.replace(/iss=[^&]+/, `iss=${encodeURIComponent('http://127.0.0.1:1')}`);
    expect(changed).not.toBe(mine);
    expect((await third.browser.call('GET', changed)).headers['location']).toBe(refused);
  });

  it('refuses a token that was made for another service', async () => {
    const { browser, url } = await begin();
    const back = await idp.visit(url, 'ada');
    // The provider signs for another audience from here on.
    const { IdToken } = idp.provider as unknown as { IdToken: { prototype: { issue(use: object): Promise<string> } } };
    const issue = IdToken.prototype.issue;
    IdToken.prototype.issue = function (this: { client: { clientId: string } }, use: object) {
      this.client = Object.assign(Object.create(this.client as object), { clientId: 'another' });
      return issue.call(this as never, use);
    };
    try {
      expect((await browser.call('GET', back)).headers['location']).toBe('/?sign_in=sso-refused');
    } finally {
      IdToken.prototype.issue = issue;
    }
    expect(await browser.role()).toBeUndefined();
    expect((await signIn('ada')).location).toBe('/models');
  });

  it('refuses a token with a forged signature, of another issuer, of another sign-in, or too old', async () => {
    const { IdToken } = idp.provider as unknown as { IdToken: { prototype: { issue(use: object): Promise<string> } } };
    const { issue } = IdToken.prototype;
    /** Where the browser gets to with a token whose claims were changed. */
    const attempt = async (change: object, key = idp.signingKey): Promise<unknown> => {
      const { browser, url } = await begin();
      const back = await idp.visit(url, 'bob');
      IdToken.prototype.issue = async function (this: object, use: object) {
        const claims = { ...decodeJwt(await issue.call(this as never, use)), ...change };
        return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: signingKeyId }).sign(key);
      };
      try {
        const { location } = (await browser.call('GET', back)).headers;
        expect(await browser.role()).toBe(location === '/models' ? 'inspector' : undefined);
        return location;
      } finally {
        IdToken.prototype.issue = issue;
      }
    };
    expect(await attempt({})).toBe('/models');
    const { privateKey: another } = await generateKeyPair('RS256');
    const refused = '/?sign_in=sso-refused';
    expect(await attempt({ roles: 'quality' }, another)).toBe(refused);
    expect(await attempt({ iss: 'http://127.0.0.1:1' })).toBe(refused);
    expect(await attempt({ nonce: 'of another sign-in' })).toBe(refused);
    expect(await attempt({ exp: Math.floor(Date.now() / 1000) - 600 })).toBe(refused);
  });

  it('says so when the provider is down or another one answers, and lets people in by password', async () => {
    const gone = await startProvider(accounts);
    await gone.stop();
    const down = await startTestService(settingsFor(gone.issuer), { work: false });
    const location = async (on: TestService) =>
      (await openBrowser(on).call('GET', '/api/v1/session/sso')).headers['location'];
    expect(await location(down)).toBe('/?sign_in=sso-unavailable');
    const user = { name: 'Kim', role: 'viewer', password: 'a password of the tests' };
    await down.call('POST', '/api/v1/users', { body: user });
    expect((await openBrowser(down).signIn('Kim', user.password)).status).toBe(200);
    await down.stop();
    // The description that is found names an issuer with another address.
    const wrong = await startTestService(settingsFor(idp.issuer.replace('127.0.0.1', 'localhost')), { work: false });
    expect(await location(wrong)).toBe('/?sign_in=sso-unavailable');
    await wrong.stop();
  });

  it('leads nowhere else afterwards (open redirect)', async () => {
    for (const evil of ['https://evil.example', '//evil.example', '/\\evil.example', '\\\\evil', 'javascript:alert(1)'])
      expect((await signIn('ada', evil)).location).toBe('/');
    for (const evil of ['/\t/evil.example', '/..//evil.example', '/%5cevil\\', '', 'models', '/ /evil', '/.//evil'])
      expect(ownPath(evil)).toBe('/');
    expect(ownPath('/items/1?type=training&x=https://a.b')).toBe('/items/1?type=training&x=https://a.b');
  });
});
