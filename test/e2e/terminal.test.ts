import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findChromium,
  launchChromium,
  type PageService,
  pagePerson,
  startPageService,
} from '../support/page-service.ts';
import { findBarriers } from '../support/page-tools.ts';

const executable = findChromium();
const password = 'a password of the tests';

/** People who take turns at one browser, by keys, mouse and finger. */
describe.skipIf(!executable)('a shared terminal', () => {
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
    for (const name of ['Ina', 'Ivo'])
      await service.client.request('POST', '/api/v1/users', { name, role: 'inspector', password });
    browser = await launchChromium(executable ?? '');
    page = await (await browser.newContext({ locale: 'en', hasTouch: true })).newPage();
    await page.goto(service.url);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('is made by a person who signed in with the password; people set their PINs', async () => {
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

  it('shows who may go on, and takes the PIN by keys alone', async () => {
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

  it('changes the person from any screen, by finger on a phone, in Japanese', async () => {
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

  it('asks the same person again when the session is over', async () => {
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
});
