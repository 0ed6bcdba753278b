import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoFiles } from '../support/demo-images.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { dropFiles, findBarriers, goTo, logIn } from '../support/page-tools.ts';

const executable = findChromium();

/** A plant with two products, each with items and a model in use. */
describe.skipIf(!executable)('the page, for several products', () => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  let files: Awaited<ReturnType<typeof demoFiles>>;
  let lids: number;

  const request = <T>(method: string, path: string, body?: unknown) => service.client.request<T>(method, path, body);
  const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 10_000 });
  const train = async (name: string, target_id: number, bank = '200') => {
    const override_params = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: bank },
    ];
    const order = { name, override_params, target_id };
    const { model_id } = await request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', order);
    await service.client.waitForModel(model_id);
    return model_id;
  };

  beforeAll(async () => {
    service = await startPageService();
    files = await demoFiles({ good: 7, testGood: 2, testDefect: 1 }, { pixels: 192 });
    await request('PUT', '/api/v1/targets/1', { name: 'Caps' });
    lids = (await request<{ target_id: number }>('POST', '/api/v1/targets/', { name: 'Lids' })).target_id;
    const product = { target_id: String(lids) };
    await service.client.uploadItems(files.training.slice(0, 4), { training: 'true', good: 'true' });
    await service.client.uploadItems(files.training.slice(4), { training: 'true', good: 'true', ...product });
    await train('caps model', 1, '0');
    await train('lids model', lids);
    browser = await launchChromium(executable ?? '');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce' });
    page.setDefaultTimeout(10_000);
    await page.goto(service.url);
    await logIn(page);
    await page.getByText('To review').waitFor();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const choose = (name: string) => page.getByRole('banner').getByLabel('Product').selectOption(name);
  const rows = async () => (await page.locator('tbody tr').allInnerTexts()).join('\n');

  it('shows one of them, or all, on each screen', async () => {
    await goTo(page, '/models');
    await soon(rows).toContain('caps model');
    expect(await rows()).toContain('Lids');
    // On a phone, too, which has no column for it.
    await page.setViewportSize({ width: 390, height: 844 });
    await soon(rows).toContain('Lids');
    await page.setViewportSize({ width: 1280, height: 800 });
    await choose('Lids');
    await soon(rows).not.toContain('caps model');
    expect(await rows()).toContain('lids model');
    await goTo(page, '/items');
    await page.getByText('3 items').waitFor();
    await choose('Caps');
    await page.getByText('4 items').waitFor();
    await goTo(page, '/');
    await choose('All products');
    await page.getByRole('link', { name: '2 models' }).waitFor();
    await choose('Caps');
    await page.getByRole('link', { name: 'caps model' }).waitFor();
    await choose('Lids');
    await page.getByRole('link', { name: 'lids model' }).waitFor();
    await goTo(page, '/train');
    await soon(() => page.locator('dl > div').first().innerText()).toContain('3');
    // The browser remembers it.
    await page.reload();
    await soon(() => page.getByRole('banner').getByLabel('Product').inputValue()).toBe(String(lids));
    expect(await findBarriers(page)).toEqual([]);
  });

  it('shows what the steps of a product do to its own images', async () => {
    await choose('Lids');
    await goTo(page, '/target');
    await soon(() => page.getByTestId('preview-tile').count()).toBe(3);
    await choose('Caps');
    await soon(() => page.getByTestId('preview-tile').count()).toBe(4);
    await choose('Lids');
    await goTo(page, '/train');
  });

  it('writes the product out on a tablet and a phone, in both languages', async () => {
    const language = (value: string) => page.locator('#language').selectOption(value);
    for (const [lang, all] of [
      ['ja', 'すべての検査対象'],
      ['en', 'All products'],
    ] as const) {
      await language(lang);
      await page.getByRole('banner').locator('select').selectOption('');
      for (const width of [1024, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const text = page.getByRole('banner').getByText(all, { exact: true }).and(page.locator('span'));
        const cut = `(text) => text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1`;
        expect(await text.evaluate(new Function(`return ${cut}`)() as (element: unknown) => boolean), all).toBe(false);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await choose('Lids');
  });

  it('asks for the product of an upload, whose model inspects, and trains with what was uploaded', async () => {
    await goTo(page, '/items');
    await page.getByRole('tab', { name: 'Inspection' }).click();
    // What is dropped is for the tab that is shown.
    await page.getByRole('tab', { name: 'Inspection', selected: true }).waitFor();
    await dropFiles(page.locator('#content > div'), files.test.slice(0, 1));
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Product', { exact: true }).inputValue()).toBe(String(lids));
    await dialog.getByRole('button', { name: /^Upload/ }).click();
    await dialog.getByText('1 file uploaded').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    interface Found {
      readonly items: { readonly target_id: number; readonly assessments: { readonly model_id: string }[] }[];
    }
    const inspected = async () => (await request<Found>('GET', '/api/v1/items/?item_type=prediction')).items[0];
    await soon(async () => (await inspected())?.assessments.length).toBe(1);
    expect((await inspected())?.target_id).toBe(lids);
    const models = await request<{ model_id: string; name: string }[]>('GET', '/api/v1/models/');
    const used = (await inspected())?.assessments[0]?.model_id;
    expect(models.find((model) => model.model_id === used)?.name).toBe('lids model');

    await page.getByRole('tab', { name: 'Training' }).click();
    await page.getByRole('tab', { name: 'Training', selected: true }).waitFor();
    await dropFiles(page.locator('#content > div'), files.test.slice(1, 3));
    await dialog.getByLabel('Product', { exact: true }).selectOption('Caps');
    await dialog.getByRole('button', { name: /^Upload/ }).click();
    await dialog.getByRole('button', { name: 'Train with these 2' }).click();
    await page.getByText('The 2 items chosen in the gallery').first().waitFor();
    expect(await page.locator('main').getByLabel('Product', { exact: true }).inputValue()).toBe('1');
  });

  it('inspects images with the model that was looked at, for its product', async () => {
    const trial = await train('lids trial', lids);
    await choose('Caps');
    await page.goto(`${service.url}/models/${trial}`);
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByRole('link', { name: /^Inspect / }).click();
    const dialog = page.getByRole('dialog');
    await soon(() => dialog.getByLabel('Product', { exact: true }).inputValue()).toBe(String(lids));
    expect(await dialog.getByLabel('Products to inspect with lids trial').isChecked()).toBe(true);
    // Another product has a model of its own.
    await dialog.getByLabel('Product', { exact: true }).selectOption('Caps');
    expect(await dialog.getByLabel('Products to inspect with the active model').isChecked()).toBe(true);
    await dialog.getByLabel('Product', { exact: true }).selectOption('Lids');
    const [file] = files.test;
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'trial.png', mimeType: 'image/png', buffer: Buffer.from(file?.bytes ?? []) });
    await dialog.getByRole('button', { name: /^Upload/ }).click();
    await dialog.getByText('1 file uploaded').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    // The gallery shows it.
    await page.getByText('trial', { exact: true }).waitFor();
    interface Found {
      readonly items: { readonly target_id: number; readonly assessments: { readonly model_id: string }[] }[];
    }
    const used = async () => {
      const { items } = await request<Found>('GET', '/api/v1/items/?item_type=prediction');
      return items.map(({ target_id, assessments }) => [target_id, ...assessments.map(({ model_id }) => model_id)])[0];
    };
    await soon(used).toEqual([lids, trial]);
  });

  it('shows values of a model in words of either language', async () => {
    await choose('Caps');
    await goTo(page, '/models');
    await page.getByRole('link', { name: 'caps model' }).click();
    await page.getByRole('tab', { name: 'Details' }).click();
    const fact = (name: string) => page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');
    await soon(() => fact('Memory bank').innerText()).toBe('automatic');
    await page.locator('#language').selectOption('ja');
    await soon(() => fact('メモリバンク').innerText()).toBe('自動');
    await page.getByRole('tab', { name: 'しきい値' }).click();
    const margin = page.getByLabel('検査しない外周');
    expect(await margin.inputValue()).toBe('');
    expect(await margin.getAttribute('placeholder')).toBe('なし');
    const save = page.getByRole('button', { name: '今後の検査に保存' });
    await margin.fill('12px');
    expect(await save.isEnabled()).toBe(true);
    await margin.fill('');
    expect(await save.isEnabled()).toBe(false);
    expect(await findBarriers(page)).toEqual([]);
    await page.locator('#language').selectOption('en');
    await choose('Lids');
  });

  it('trains with items of two products only where it is told to', async () => {
    await choose('All products');
    await goTo(page, '/items');
    await page.locator('a[data-index="0"]').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Train with these' }).click();
    const count = async () => (await request<unknown[]>('GET', '/api/v1/models/')).length;
    const before = await count();
    await page.getByRole('button', { name: 'Start training' }).click();
    await page.getByRole('alert').waitFor();
    expect(await count()).toBe(before);
    await page.getByLabel('Train one model for items of several products').check();
    await page.getByRole('button', { name: 'Start training' }).click();
    await soon(count).toBe(before + 1);
  });

  it('counts what waits for a person by the model of each product', async () => {
    const models = await request<{ model_id: string; active: boolean }[]>('GET', '/api/v1/models/');
    for (const { model_id } of models.filter(({ active }) => active))
      await request('POST', `/api/v1/models/${model_id}/update_predict_parameters`, { threshold: 0.01 });
    for (const product of [1, lids]) {
      const fields = { training: 'false', model_id: 'active', target_id: String(product) } as const;
      await service.client.waitForItems(await service.client.uploadItems(files.test.slice(2), fields));
    }
    await goTo(page, '/');
    await page.getByRole('link', { name: /^Lids: \d NG to confirm$/ }).waitFor();
    await page.getByRole('link', { name: 'Caps: 1 NG to confirm' }).click();
    await page.getByText('1 item', { exact: true }).waitFor();
  });
});
