import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKensaClient } from '../../src/client/kensa-client.ts';
import { SqliteDatabase } from '../../src/storage/data-dir.ts';
import {
  findChromium,
  launchChromium,
  type PageService,
  pageClient,
  pagePerson,
  startPageService,
} from '../support/page-service.ts';
import { findBarriers } from '../support/page-tools.ts';

const executable = findChromium();
const password = 'a password of the tests';

/** People who take turns at one browser, by keys, mouse and finger, and the admin who looks after them. */
describe.skipIf(!executable)('people at the page', () => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 20_000 });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const signIn = async (name: string) => {
    await page.locator('input[name=name]').fill(name);
    await page.locator('input[name=password]').fill(password);
    await page.locator('button[type=submit]').last().click();
    await page.locator(`a[href="/account"][title="${name}"]`).waitFor();
  };
  const leave = async () => {
    await button('Log out').click();
    await page.locator('input[name=name]').waitFor();
  };
  const setPin = async (name: string, pin: string) => {
    await signIn(name);
    await page.locator('a[href="/account"]').click();
    await page.locator('input[name=new-pin]').fill(pin);
    await button('Set the PIN').click();
    await see('You have a PIN.');
    await leave();
  };

  beforeAll(async () => {
    service = await startPageService({ KENSA_WORKERS: '1' });
    const database = new SqliteDatabase(`${service.dataDir}/kensa.db`);
    database.prepare('delete from users').run();
    database.close();
    browser = await launchChromium(executable ?? '');
    page = await (await browser.newContext({ locale: 'en', hasTouch: true })).newPage();
    await page.goto(service.url);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('begin with the first admin, whom only the secret of a client makes', async () => {
    const submit = () => page.locator('button[type=submit]').last().click();
    await see('Nobody has an account yet.');
    await page.locator('input[name=name]').fill(pageClient.clientId);
    await page.locator('input[name=password]').fill('a guess at the secret');
    await submit();
    await page.getByRole('alert').waitFor();
    await page.locator('input[name=password]').fill(pageClient.clientSecret);
    await submit();
    await see('Make the first account');
    expect(await findBarriers(page)).toEqual([]);
    await page.locator('input[name=name]').fill(pagePerson.name);
    await page.locator('input[name=password]').fill(pagePerson.password);
    await submit();
    await page.locator(`a[href="/account"][title="${pagePerson.name}"]`).waitFor();
    await page.locator('a[href="/account"]').click();
    await see('Administrator');
    await leave();
    for (const name of ['Ina', 'Ivo'])
      await service.client.request('POST', '/api/v1/users', { name, role: 'inspector', password });
  });

  it('make a shared terminal after a sign-in with the password, and set their PINs', async () => {
    await setPin('Ina', '4826');
    await setPin('Ivo', '7392');
    expect(await button('Ina').count()).toBe(0);
    await signIn(pagePerson.name);
    await page.locator('a[href="/account"]').click();
    await see('a PIN opens accounts up to the role: Inspector');
    await page.getByLabel('Name of this terminal').fill('Cell 4');
    await button('Share this browser').click();
    await see('This browser is the shared terminal “Cell 4”.');
    expect(await findBarriers(page)).toEqual([]);
    await leave();
  });

  it('see who may go on, and give the PIN by keys alone', async () => {
    await page.getByRole('list', { name: 'Who goes on?' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await button('Ina').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('1111');
    await page.keyboard.press('Enter');
    await see('The PIN is not right.');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.type('4826');
    await page.keyboard.press('Enter');
    await page.locator('a[href="/account"][title="Ina"]').waitFor();
  });

  it('take over from any screen, by finger on a phone, in Japanese', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Language').selectOption('ja');
    await button('担当者を交代').tap();
    for (const digit of '7392') await button(digit).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'ログイン' }).tap();
    await page.locator('a[href="/account"][title="Ivo"]').waitFor();
    await page.locator('a[href="/account"]').tap();
    await see('PIN でログインしています。');
    expect(await findBarriers(page)).toEqual([]);
  });

  it('are asked for their own PIN again when the session is over', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('言語').selectOption('en');
    const users = await service.client.request<{ user_id: string; name: string }[]>('GET', '/api/v1/users');
    const id = users.find(({ name }) => name === 'Ivo')?.user_id;
    for (const disabled of [true, false]) await service.client.request('PUT', `/api/v1/users/${id}`, { disabled });
    await page.locator('nav a[href="/items"]').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('PIN of Ivo').waitFor();
    for (const digit of '7392') await dialog.getByRole('button', { name: digit }).click();
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+P');
    await dialog.getByText('PIN of Ina').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  /** A browser of its own, signed in. */
  async function openPage(name: string, word = password): Promise<Page> {
    const own = await (await browser.newContext({ locale: 'en', acceptDownloads: true })).newPage();
    await own.goto(service.url);
    await own.locator('input[name=name]').fill(name);
    await own.locator('input[name=password]').fill(word);
    await own.locator('button[type=submit]').click();
    await own.locator(`a[href="/account"][title="${name}"]`).waitFor();
    return own;
  }
  let admin: Page;
  const rowOf = (text: string) => admin.getByRole('row').filter({ hasText: text });

  it('lose a shared terminal that the admin ends, and the session there, at once', async () => {
    admin = await openPage(pagePerson.name, pagePerson.password);
    await admin.goto(`${service.url}/people`);
    const terminal = rowOf('Cell 4');
    await terminal.getByText('Ivo').waitFor();
    await terminal.getByText('127.0.0.1').waitFor();
    expect(await findBarriers(admin)).toEqual([]);
    await terminal.getByRole('button', { name: 'End' }).click();
    const sure = admin.getByRole('dialog');
    await sure.getByText('signed out at once').waitFor();
    await sure.getByRole('button', { name: 'End' }).click();
    await terminal.waitFor({ state: 'detached' });
    // The screen that stands there still knows the people, and their PINs open nothing.
    await page.locator('nav a[href="/models"]').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('PIN of Ivo').waitFor();
    await page.keyboard.type('7392');
    await page.keyboard.press('Enter');
    await dialog.locator('input[name=password]').waitFor();
    await page.goto(service.url);
    await page.locator('input[name=name]').waitFor();
    expect(await button('Ina').count()).toBe(0);
  });

  it('are added by an admin, get another role and password, and are out at once when they are disabled', async () => {
    await admin.getByRole('button', { name: 'Add a person' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Uma');
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Add a person' }).click();
    await rowOf('Uma').waitFor();
    const uma = await openPage('Uma');
    const goTo = (path: string) => uma.locator(`nav a[href="${path}"]`).click();
    await uma.locator('a[href="/account"]').click();
    await uma.getByText('Viewer', { exact: true }).waitFor();
    const changed = admin.waitForResponse((answer) => answer.request().method() === 'PUT');
    await admin.getByLabel('Role of Uma').selectOption('inspector');
    expect((await changed).status()).toBe(200);
    await uma.reload();
    await uma.getByText('Inspector', { exact: true }).waitFor();
    await uma.locator('input[name=new-pin]').fill('4826');
    await uma.getByRole('button', { name: 'Set the PIN' }).click();
    await uma.getByText('You have a PIN.').waitFor();

    await rowOf('Uma').getByRole('button', { name: 'Set password' }).click();
    await dialog.getByText('New password of Uma').waitFor();
    await dialog.getByLabel('Password').fill('the second password');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf('Uma').getByText('Password, PIN').waitFor();
    const again = uma.getByRole('dialog');
    await goTo('/models');
    await again.locator('input[name=password]').fill(password);
    await again.getByRole('button', { name: 'Log in' }).click();
    await again.getByText('do not belong together').waitFor();
    await again.locator('input[name=password]').fill('the second password');
    await again.getByRole('button', { name: 'Log in' }).click();
    await again.waitFor({ state: 'detached' });

    await rowOf('Uma').getByRole('button', { name: 'Disable' }).click();
    await rowOf('Uma').getByText('Disabled').waitFor();
    await goTo('/items');
    await again.locator('input[name=password]').fill('the second password');
    await again.getByRole('button', { name: 'Log in' }).click();
    await again.getByText('the account is disabled').waitFor();
    await uma.reload();
    await uma.locator('input[name=name]').waitFor();
    await uma.close();
  });

  let clientId = '';
  it('make a machine client with fewer scopes, see its secret once, and revoke it', async () => {
    await admin.getByRole('button', { name: 'Add a client' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Camera 7');
    await dialog.getByLabel('Scope').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Add a client' }).click();
    await dialog.getByText('It is not shown again.').waitFor();
    clientId = await dialog.getByLabel('Client ID').inputValue();
    const secret = await dialog.getByLabel('Client secret').inputValue();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await rowOf('Camera 7').waitFor();
    await admin.reload();
    await rowOf('Camera 7').waitFor();
    expect(await admin.content()).not.toContain(secret);

    const camera = createKensaClient({ baseUrl: service.url, clientId, clientSecret: secret });
    await camera.request('GET', '/api/v1/models/');
    const label = () => camera.request('PUT', '/api/v1/labels', { labels: [{ label: 1, name: 'scratch' }] });
    await expect(label()).rejects.toMatchObject({ status: 403 });
    const changed = admin.waitForResponse((answer) => answer.request().method() === 'PUT');
    await admin.getByLabel('Role of Camera 7').selectOption('engineer');
    expect((await changed).status()).toBe(200);
    await label();
    await rowOf('Camera 7').getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await rowOf('Camera 7').getByText('Revoked').waitFor();
    await expect(camera.request('GET', '/api/v1/models/')).rejects.toMatchObject({ status: 401 });
  });

  it('find acts in the audit trail by each filter, and take them with them as JSON lines and CSV', async () => {
    await admin.goto(`${service.url}/audit`);
    const rows = admin.getByRole('table', { name: 'Audit trail' }).locator('tbody tr');
    const acts = async () => (await rows.locator('td:nth-child(3)').allTextContents()).map((text) => text.trim());
    const who = async () => [
      ...new Set((await rows.locator('td:nth-child(2)').allTextContents()).map((text) => text.trim())),
    ];
    const ofClient = ['client refused', 'client revoked', 'client changed', 'client signed in', 'client added'];
    await expect.poll(() => rows.count()).toBeGreaterThan(10);
    await admin.getByLabel('Act', { exact: true }).selectOption('client.revoke');
    await expect.poll(acts).toEqual(['client revoked']);
    await admin.getByLabel('Act', { exact: true }).selectOption('');
    await admin.getByLabel('Who').fill('Uma');
    await expect.poll(who).toEqual(['Uma']);
    await admin.getByLabel('Who').fill('');
    await admin.getByLabel('ID of what').fill(clientId);
    await expect.poll(acts).toEqual(ofClient);
    const day = (offset: number) => {
      const date = new Date();
      date.setDate(date.getDate() + offset);
      return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
    };
    for (const [label, none, all] of [
      ['From', day(1), day(-1)],
      ['Until', day(-1), day(1)],
    ] as const) {
      await admin.getByLabel(label, { exact: true }).fill(none);
      await admin.getByText('No entry fits').waitFor();
      await admin.getByLabel(label, { exact: true }).fill(all);
      await expect.poll(acts).toEqual(ofClient);
    }

    const download = async (name: string): Promise<[string, string]> => {
      const started = admin.waitForEvent('download');
      await admin.getByRole('button', { name, exact: true }).click();
      const file = await started;
      return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
    };
    const [linesName, lines] = await download('JSON');
    expect(linesName).toBe('kensa-audit.jsonl');
    const entries = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { act: string; target_id: string });
    expect(entries.map(({ act }) => act)).toEqual([
      'client.add',
      'client.sign-in',
      'client.change',
      'client.revoke',
      'client.refused',
    ]);
    expect(entries.every((entry) => entry.target_id === clientId)).toBe(true);
    const [tableName, table] = await download('CSV');
    expect(tableName).toBe('kensa-audit.csv');
    const [head, ...cells] = table.trim().split('\r\n');
    expect(head).toMatch(/^seq,at,caller_kind/);
    expect(cells.length).toBe(5);
    expect(cells.every((line) => line.includes(clientId))).toBe(true);
  });

  it('are asked for a reason where an admin wants one, on their own account too', async () => {
    await admin.getByLabel('PIN set', { exact: true }).click();
    await expect.poll(() => service.client.request('GET', '/api/v1/audit/reasons')).toEqual({ acts: ['user.pin'] });
    for (const act of ['signed in', 'client signed in', 'items or images removed by retention'])
      expect(await admin.getByLabel(act, { exact: true }).count(), act).toBe(0);
    const ina = await openPage('Ina');
    await ina.locator('a[href="/account"]').click();
    await ina.locator('input[name=new-pin]').fill('8642');
    await ina.getByRole('button', { name: 'Set the PIN' }).click();
    const why = ina.getByRole('dialog');
    await why.getByText('Reason for: PIN set').waitFor();
    await why.getByRole('textbox').fill('somebody watched me');
    await why.getByRole('button', { name: 'Go on' }).click();
    await why.waitFor({ state: 'detached' });
    const trail = () =>
      service.client.request<{ entries: { reason: string }[] }>('GET', '/api/v1/audit?act=user.pin&count=1');
    await expect.poll(async () => (await trail()).entries[0]?.reason).toBe('somebody watched me');
    await ina.close();
    await admin.close();
  });
});
