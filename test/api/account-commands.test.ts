import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleService } from '../support/bundle-service.ts';
import { openAudit } from '../support/open-accounts.ts';
import { openBrowser } from '../support/page-browser.ts';
import { createSharedDatabase } from '../support/postgres-setup.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const password = 'a password of the tests';
const entries = Number(process.env['KENSA_AUDIT_ENTRIES'] ?? 50_000);
let service: TestService;
let settings: Record<string, string>;

beforeAll(async () => {
  settings = process.env['KENSA_TEST_BACKEND'] === 'postgres' ? { DATABASE_URL: await createSharedDatabase() } : {};
  service = await startTestService(settings, { work: false });
});
afterAll(() => service.stop());

/** A command as a process of its own, while the service runs. */
function kensa(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundleService(), ...args], {
    env: { PATH: process.env['PATH'], KENSA_DATA_DIR: service.dataDir, ...settings },
    encoding: 'utf8',
    input,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}

/** @returns what a command that succeeds prints as JSON. */
function json<T>(args: readonly string[], input?: string): T {
  const { status, stdout, stderr } = kensa([...args, '--json'], input);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

const lastEntry = () =>
  service.db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow();

describe('kensa user', () => {
  it('makes, lists and changes people while the service runs; each act takes effect at once and is in the trail', async () => {
    expect(json(['user', 'add', 'Ada', '--role', 'engineer'], `${password}\n`)).toMatchObject({
      name: 'Ada',
      role: 'engineer',
      signs_in_with: 'password',
    });
    expect(await lastEntry()).toMatchObject({
      act: 'user.add',
      caller_kind: 'command',
      caller_name: userInfo().username,
    });
    const browser = openBrowser(service);
    expect((await browser.signIn('Ada', password)).status).toBe(200);
    expect(json(['user', 'set-role', 'ada', 'viewer'])).toMatchObject({ role: 'viewer' });
    expect(await browser.role()).toBe('viewer');
    json(['user', 'disable', 'Ada']);
    expect(await browser.role()).toBeUndefined();
    json(['user', 'enable', 'Ada']);
    expect(kensa(['user', 'set-password', 'Ada'], 'another password\n').status).toBe(0);
    expect((await browser.signIn('Ada', password)).status).toBe(401);
    expect((await browser.signIn('Ada', 'another password')).status).toBe(200);
    expect(json<object[]>(['user', 'list'])).toMatchObject([{ name: 'Ada', role: 'viewer', disabled_at: null }]);
    expect(kensa(['user', 'list']).stdout).toMatch(/Ada +viewer +password/);
  });

  it('shows shared terminals and ends one at once', async () => {
    const browser = openBrowser(service);
    json(['user', 'set-role', 'Ada', 'engineer']);
    expect((await browser.signIn('Ada', 'another password')).status).toBe(200);
    expect((await browser.call('PUT', '/api/v1/session/terminal', { name: 'Cell 4' })).status).toBe(204);
    expect((await browser.signIn('Ada', 'another password')).status).toBe(200);
    const [row] = json<{ terminal_id: string }[]>(['terminal', 'list']);
    expect(row).toMatchObject({ name: 'Cell 4', address: '127.0.0.1', signed_in: { name: 'Ada' } });
    expect(kensa(['terminal', 'list']).stdout).toMatch(/Cell 4 +127\.0\.0\.1 .*Ada/);
    json(['terminal', 'end', row?.terminal_id ?? '']);
    expect(await lastEntry()).toMatchObject({ act: 'terminal.disable', caller_kind: 'command' });
    expect(await browser.role()).toBeUndefined();
    expect(json(['terminal', 'list'])).toEqual([]);
    expect(kensa(['terminal', 'end', row?.terminal_id ?? '']).stderr).toMatch(/no shared terminal/);
    json(['user', 'set-role', 'Ada', 'viewer']);
  });

  it('refuses in words, and shows no password', () => {
    const refused = (args: string[], words: RegExp, input = '') => {
      const { status, stderr, stdout } = kensa(args, input);
      expect(status, stdout).toBe(1);
      expect(stderr).toMatch(words);
      expect(stderr + stdout).not.toContain(password);
    };
    refused(['user', 'add', 'Bob'], /Standard input is empty/);
    refused(['user', 'add', 'Bob'], /5 characters. Take one of 8 to 200/, 'short\n');
    refused(['user', 'add', ' ADA '], /there is a person named ADA already/, `${password}\n`);
    refused(['user', 'set-role', 'nobody', 'admin'], /nobody/);
    refused(['user', 'set-role', 'Ada', 'root'], /viewer, inspector, engineer, admin/);
  });
});

it('kensa client makes, limits, lists and revokes clients while the service runs', async () => {
  const made = json<{ client_id: string; client_secret: string }>(['client', 'add', 'camera 3', '--scope', 'viewer']);
  const login = async () => {
    const { client_id, client_secret } = made;
    const body = { client_id, client_secret, grant_type: 'client_credentials' };
    return service.call('POST', '/api/auth/token', { token: null, body });
  };
  expect((await login()).body).toMatchObject({ scope: 'viewer' });
  json(['client', 'set-scope', made.client_id, 'inspector']);
  expect((await login()).body).toMatchObject({ scope: 'inspector' });
  const listed = kensa(['client', 'list']).stdout;
  expect(listed).toContain('camera 3');
  expect(listed).not.toContain(made.client_secret);
  json(['client', 'revoke', made.client_id]);
  expect((await login()).status).toBe(401);
  expect(kensa(['client', 'revoke', 'nobody'])).toMatchObject({ status: 1, stderr: expect.stringContaining('nobody') });
});

describe('kensa audit', () => {
  it('verifies entries at a rate of a million a minute or more, and finds a cut-off end by the head that was kept', async () => {
    const audit = openAudit(service.db);
    const size = 10_000;
    for (let from = 0; from < entries; from += size) {
      const targets = Array.from({ length: Math.min(size, entries - from) }, (_, index) => ({
        id: `item ${from + index}`,
        details: { result: 'OK', before: 'NG' },
      }));
      await service.db.transaction().execute((trx) => audit.record(trx, 'item.assess', targets));
    }
    const startedAt = performance.now();
    const { stdout, status } = kensa(['audit', 'verify']);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(status).toBe(0);
    if (entries > 100_000) console.log(`${entries} entries in ${seconds.toFixed(1)} s`);
    // The start of the process is not counted.
    expect(seconds).toBeLessThan(10 + (entries * 60) / 1_000_000);
    const [, count, known = ''] =
      /^(\d+) entries are as they were written\.\n.*--known (\d+:[0-9a-f]{64})/.exec(stdout) ?? [];
    expect(Number(count)).toBeGreaterThan(entries);
    expect(json(['audit', 'verify', '--known', known])).toMatchObject({ fault: null });
    const later = `${Number(count) + 5}:${'0'.repeat(64)}`;
    const cut = kensa(['audit', 'verify', '--known', later]);
    expect(cut).toMatchObject({ status: 1, stderr: expect.stringMatching(/entries were removed at the end/) });
    expect(kensa(['audit', 'verify', '--known', 'x']).stderr).toMatch(/a number, a colon, 64 hex digits/);
  }, 600_000);

  it('exports a time as JSON lines and as CSV', async () => {
    const { at } = await lastEntry();
    await service.call('PUT', '/api/v1/labels', { body: { labels: [{ label: 1, name: '=1+1' }] } });
    const from = new Date(Date.parse(at) + 1).toISOString();
    const lines = kensa(['audit', 'export', '--from', from]).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ act: 'labels.change', caller_name: 'tests' }]);
    const csv = kensa(['audit', 'export', '--format', 'csv', '--from', from]).stdout;
    expect(csv).toMatch(/^seq,at,caller_kind/);
    expect(csv).toContain('labels.change');
    expect(kensa(['audit', 'export', '--from', 'yesterday']).stderr).toMatch(/Write the time as/);
    expect(kensa(['audit', 'export', '--until', '2020-01-01']).stdout).toBe('');
  });
});
