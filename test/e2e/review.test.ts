import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoFile, demoFiles } from '../support/demo-images.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { dragOver, findBarriers, goTo, logIn } from '../support/page-tools.ts';

const executable = findChromium();
const patience = 60_000;

interface ItemBody {
  item_id: string;
  name: string;
  user_assessment?: { result: string; annotations: { x_min: number; label: number | null }[] };
  assessments: { model_id: string; result: string }[];
}

/** An inspector reviews inspected items, and takes back what went wrong. */
describe.skipIf(!executable)('the page, while items are reviewed', () => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  let files: { training: DemoFile[]; test: DemoFile[] };
  /** In the order of the gallery. */
  let ids: string[];

  const request = <T>(method: string, path: string, body?: unknown) => service.client.request<T>(method, path, body);
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 10_000 });
  const items = async (): Promise<ItemBody[]> =>
    (await request<{ items: ItemBody[] }>('GET', '/api/v1/items/?item_type=prediction&count=100')).items;
  const verdicts = async () => (await items()).map((item) => item.user_assessment?.result ?? 'none');
  const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 10_000 });
  const none = () => ids.map(() => 'none');
  const forgetVerdicts = () =>
    request('PUT', '/api/v1/items/verdicts', {
      verdicts: ids.map((item_id) => ({ item_id, good: null, annotations: [] })),
    });
  const openFirst = async () => {
    await goTo(page, '/');
    await goTo(page, '/items');
    await page.getByRole('tab', { name: 'Inspection' }).click();
    await page.locator('a[data-index="0"]').click();
    await page.getByTestId('image-frame').waitFor();
  };
  const train = async (name: string, item_ids: readonly string[], threshold: number): Promise<string> => {
    const override_params = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: '200' },
    ];
    const order = { name, item_ids, override_params };
    const { model_id } = await request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', order);
    await service.client.waitForModel(model_id);
    await request('POST', `/api/v1/models/${model_id}/update_predict_parameters`, { threshold });
    return model_id;
  };

  beforeAll(async () => {
    service = await startPageService();
    files = await demoFiles({ good: 8, testGood: 3, testDefect: 4 }, { pixels: 192 });
    const training = await service.client.uploadItems(files.training, { training: 'true', good: 'true' });
    // The earlier model calls everything NG; the active one lets everything pass.
    const strict = await train('strict', training.slice(0, 5), 0.01);
    const lenient = await train('lenient', training, 0.999);
    await request('POST', `/api/v1/models/${lenient}/activate`);
    const uploaded = await service.client.uploadItems(files.test, { training: 'false' });
    for (const model of [strict, lenient]) {
      // The last of them is never inspected.
      const item_ids = uploaded.slice(0, -1);
      await request('POST', `/api/v1/models/${model}/predict`, { item_ids });
      await service.client.waitForItems(item_ids);
    }
    ids = [...uploaded].reverse();
    browser = await launchChromium(executable ?? '');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce' });
    page.setDefaultTimeout(10_000);
    await page.goto(service.url);
    await logIn(page);
    await see('To review');
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it(
    'gives one verdict for a key that is held',
    async () => {
      await openFirst();
      // A key that is down already repeats.
      for (let repeat = 0; repeat < 5; repeat++) {
        await page.keyboard.down('n');
        await page.waitForTimeout(60);
      }
      await page.keyboard.up('n');
      await see('2 of 7');
      await soon(verdicts).toEqual(['NG', ...none().slice(1)]);
      await page.keyboard.press('Control+z');
      await soon(verdicts).toEqual(none());
    },
    patience,
  );

  it(
    'takes verdicts back, by key and by touch, and shows the last five',
    async () => {
      await openFirst();
      for (const key of ['n', 'o']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(200);
      }
      await see('3 of 7');
      await soon(verdicts).toEqual(['NG', 'OK', ...none().slice(2)]);
      const last = page.getByRole('list', { name: 'Your last verdicts' }).getByRole('link');
      await soon(() => last.count()).toBe(2);
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('Control+z');
      await soon(verdicts).toEqual(['NG', ...none().slice(1)]);
      await see('2 of 7');
      await page.getByRole('button', { name: /^Undo/ }).click();
      await soon(verdicts).toEqual(none());
      await see('1 of 7');
      // The strip leads back to an item, to revise its verdict.
      for (let press = 0; press < 6; press++) {
        await page.keyboard.press('n');
        await page.waitForTimeout(150);
      }
      await see('7 of 7');
      await soon(() => last.count()).toBe(5);
      await last.last().click();
      await see('2 of 7');
      await page.getByRole('button', { name: /^Good/ }).click();
      await soon(verdicts).toEqual(['NG', 'OK', 'NG', 'NG', 'NG', 'NG', 'none']);
      for (let press = 0; press < 7; press++) {
        await page.keyboard.press('Control+z');
        await page.waitForTimeout(150);
      }
      await soon(verdicts).toEqual(none());
      await soon(() => last.count()).toBe(0);
    },
    patience,
  );

  it(
    'takes back regions, and regions that were taken over',
    async () => {
      await openFirst();
      const regions = async () => (await items())[0]?.user_assessment?.annotations.length ?? 'none';
      const drawn = page.getByRole('button', { name: /^Region \d+$/ });
      await page.keyboard.press('r');
      await dragOver(page.getByTestId('image-frame'), [0.4, 0.4], [0.55, 0.6]);
      await soon(regions).toBe(1);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Delete');
      await page.keyboard.press('Control+z');
      await soon(regions).toBe('none');
      await soon(() => drawn.count()).toBe(0);
      await page.keyboard.press('Escape');
    },
    patience,
  );

  it(
    'takes back marks of many items, their use, and a deletion',
    async () => {
      await goTo(page, '/items');
      await page.getByRole('tab', { name: 'Inspection' }).click();
      await page.locator('a[data-index="0"]').focus();
      await page.keyboard.press('o');
      await soon(verdicts).toEqual(['OK', ...none().slice(1)]);
      const select = async () => {
        for (const index of [0, 1, 2])
          await page
            .getByRole('checkbox', { name: /^Select/ })
            .nth(index)
            .click();
      };
      await select();
      await page.getByRole('toolbar').getByRole('button', { name: 'NG', exact: true }).click();
      await soon(verdicts).toEqual(['NG', 'NG', 'NG', ...none().slice(3)]);
      await page.keyboard.press('Control+z');
      await soon(verdicts).toEqual(['OK', ...none().slice(1)]);
      await page.keyboard.press('Control+z');
      await soon(verdicts).toEqual(none());
      await select();
      await page.getByRole('button', { name: 'Use for training' }).click();
      await soon(async () => (await items()).length).toBe(4);
      await page.getByRole('button', { name: 'Undo' }).click();
      await soon(async () => (await items()).length).toBe(7);
      await select();
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
      await soon(() => page.getByText('Deleted', { exact: true }).count()).toBe(3);
      await page.keyboard.press('Control+z');
      await soon(() => page.getByText('Deleted', { exact: true }).count()).toBe(0);
      await page.waitForTimeout(1000);
      expect(await items()).toHaveLength(7);
    },
    patience,
  );

  it(
    'counts on the start what its words say, and what its links open',
    async () => {
      await request('PATCH', `/api/v1/items/${ids[1]}`, { good: true });
      await goTo(page, '/');
      // One of seven was never inspected.
      await see(/In all: 6 inspected, 1 judged by people/);
      const card = page.getByRole('region', { name: 'To review' });
      await card.getByText('Review what nobody has looked at').waitFor();
      // Only the earlier model calls them NG, and only it differs from the person.
      expect(await card.getByText(/NG to confirm/).count()).toBe(0);
      expect(await card.getByText(/differ/).count()).toBe(0);
      const today = page.locator('dl > div', { hasText: 'OK today' });
      expect(await today.innerText()).not.toMatch(/judged|reviewed/);
      await forgetVerdicts();
    },
    patience,
  );

  it(
    'counts all images to check before a training, not only those that it lists',
    async () => {
      const [first] = files.training;
      if (!first) throw new Error('There is no training image.');
      const copies = Array.from({ length: 60 }, (_, index) => ({ ...first, name: `copy ${index}.jpg` }));
      const copied = await service.client.uploadItems(copies, { training: 'true', good: 'true' });
      await goTo(page, '/train');
      await see('Please check 60 images:');
      await request('DELETE', '/api/v1/items/', { item_ids: copied });
    },
    patience,
  );
});
