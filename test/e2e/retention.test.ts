import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqliteDatabase } from '../../src/storage/data-dir.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { findBarriers, goTo, logIn } from '../support/page-tools.ts';
import { stripes } from '../support/trained-model.ts';

const executable = findChromium();

describe.skipIf(!executable)('the screen for retention', () => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 20_000 });
  const press = (name: string) => page.getByRole('button', { name }).last().click();

  beforeAll(async () => {
    service = await startPageService({ KENSA_WORKERS: '1' });
    const files = await Promise.all(
      [1, 2, 3].map(async (phase) => ({ name: `p-${phase}.png`, bytes: await stripes(phase) })),
    );
    await service.client.uploadItems(files, { training: 'false', good: 'true', lot: 'L 7' });
    const database = new SqliteDatabase(`${service.dataDir}/kensa.db`);
    database.prepare('update items set created_at = ?').run(new Date(Date.now() - 40 * 86_400_000).toISOString());
    database.close();
    browser = await launchChromium(executable ?? '');
    page = await browser.newPage({ locale: 'en' });
    await page.goto(service.url);
    await logIn(page);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('makes a rule with its preview, holds items, removes images and shows that they are gone', async () => {
    await goTo(page, '/operations');
    await page.getByRole('link', { name: 'Retention' }).click();
    await see('There are no rules: everything stays.');
    await see('Lasts for');
    await see('does not fill');
    await press('New rule');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('all');
    await dialog.getByLabel('Images, NG').fill('');
    await dialog.getByLabel('Records').fill('20');
    await dialog.getByLabel(/^Everywhere/).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    // 30 days of the images are longer than 20 of the record.
    await see(/but the record goes after 20 days/);
    await dialog.getByLabel('Records').fill('');
    await dialog.getByRole('button', { name: 'What would go now?' }).click();
    await see(/^Images: 3 /);
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    await press('New hold');
    await dialog.getByLabel('Reason').fill('complaint 4711');
    await dialog.getByLabel('Serial').fill('nobody');
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
    await see('complaint 4711');
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole('button', { name: 'What would go now?' }).first().click();
    await dialog.getByRole('button', { name: 'Remove now' }).click();
    await see('by hand');
    await page.getByRole('row', { name: /by hand .*done/ }).waitFor({ timeout: 20_000 });

    await goTo(page, '/items');
    await page.goto(`${service.url}/items?type=prediction&images_removed=true`);
    await page.locator('a[data-index="0"]').click();
    await see(/Image removed by retention on .*This is its thumbnail/);
  }, 120_000);
});
