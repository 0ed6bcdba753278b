import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { findBarriers } from '../support/page-tools.ts';
import { settingsFor, startProvider } from '../support/sign-in-provider.ts';

const executable = findChromium();

describe.skipIf(!executable)('single sign-on on the page', () => {
  let service: PageService;
  let browser: Browser;
  let provider: Awaited<ReturnType<typeof startProvider>>;

  beforeAll(async () => {
    const port = String(await findFreePort());
    const url = `http://127.0.0.1:${port}`;
    const accounts = { bob: { name: 'Bob', roles: 'line' }, eve: { name: 'Eve', roles: 'none' } };
    provider = await startProvider(accounts, url);
    service = await startPageService({
      ...settingsFor(provider.issuer, url),
      PORT: port,
      KENSA_WORKERS: '1',
      KENSA_SSO_NAME: 'Plant ID',
    });
    browser = await launchChromium(executable ?? '');
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await provider?.stop();
  });

  it('leads to the provider and back to the screen that was asked for; sign-out ends both', async () => {
    const page = await browser.newPage({ locale: 'en' });
    await page.goto(`${service.url}/models`);
    const button = page.getByRole('link', { name: 'Sign in with Plant ID' });
    await button.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    provider.expectAccount('bob');
    await button.click();
    await page.locator('a[href="/account"][title="Bob"]').waitFor();
    expect(new URL(page.url()).pathname).toBe('/models');
    await page.reload();
    await page.locator('a[href="/account"][title="Bob"]').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL((url) => url.origin === provider.issuer);
    await page.close();
  });

  it('says in the language of the page why somebody is not let in', async () => {
    const page = await browser.newPage({ locale: 'ja', viewport: { width: 390, height: 844 } });
    await page.goto(service.url);
    provider.expectAccount('eve');
    await page.getByRole('link', { name: 'Plant ID でログイン' }).click();
    await page.getByText('ここでの役割がありません').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.close();
  });
});
