import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoFile, demoFiles } from '../support/demo-images.ts';
import { englishWords } from '../support/english-words.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { dragOver, findBarriers, goTo, logIn, pinch, swipe } from '../support/page-tools.ts';

const executable = findChromium();
const patience = 60_000;

interface ItemBody {
  item_id: string;
  name: string;
  user_assessment?: { result: string; annotations: { x_min: number; label: number | null }[] };
  assessments: { model_id: string; result: string; anomaly_score: string }[];
}

/** An inspector reviews inspected items, and takes back what went wrong. */
describe.skipIf(!executable)('the page, while items are reviewed', () => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  let files: { training: DemoFile[]; test: DemoFile[] };
  /** The training items. */
  let learned: string[];
  let strict: string;
  let lenient: string;
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
  /** Another page of the person, whose timers can be sent ahead. */
  const openWithClock = async () => {
    const context = await browser.newContext({
      storageState: await page.context().storageState(),
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    const other = await context.newPage();
    other.setDefaultTimeout(10_000);
    await other.clock.install();
    await other.goto(service.url);
    await other.getByText('To review').first().waitFor();
    return { page: other, close: () => context.close() };
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
    learned = await service.client.uploadItems(files.training, { training: 'true', good: 'true' });
    // The earlier model calls everything NG; the active one lets everything pass.
    strict = await train('strict', learned.slice(0, 5), 0.01);
    lenient = await train('lenient', learned, 0.999);
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
      for (let repeat = 0; repeat < 20; repeat++) await page.keyboard.down('n');
      await page.keyboard.up('n');
      await see('2 of 7');
      await soon(verdicts).toEqual(['NG', ...none().slice(1)]);
      await page.keyboard.press('Control+z');
      await soon(verdicts).toEqual(none());
    },
    patience,
  );

  it(
    'shows the good image that a place is compared with, side by side or under a divider',
    async () => {
      await openFirst();
      // Nothing has inspected the first item.
      await page.keyboard.press('j');
      await see('2 of 7');
      await page.keyboard.press('c');
      const dialog = page.getByRole('dialog', { name: 'Different from what?' });
      await dialog.getByTestId('nearest-good').waitFor();
      await soon(() => dialog.getByTestId('patch').count()).toBe(2);
      await dialog.getByText(/^Good image: /).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      // Another place has another patch.
      const outline = dialog.getByTestId('nearest-item').getByTestId('patch').locator('polygon').first();
      const before = await outline.getAttribute('points');
      await dialog.getByTestId('nearest-item').click();
      await soon(() => outline.getAttribute('points')).not.toBe(before);
      await page.keyboard.press('s');
      const divider = dialog.getByRole('slider', { name: 'Divider between both images' });
      await divider.press('ArrowRight');
      expect(await divider.getAttribute('aria-valuenow')).toBe('52');
      await dragOver(dialog.getByTestId('nearest-item'), [0.52, 0.5], [0.75, 0.5]);
      expect(Number(await divider.getAttribute('aria-valuenow'))).toBeCloseTo(75, -1);
      await page.keyboard.press('s');
      await dialog.getByTestId('nearest-good').waitFor();
      // One press closes it, wherever the focus was and whatever messages are shown.
      await page.keyboard.press('s');
      await divider.focus();
      await page.keyboard.press('s');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.press('n');
      await see('3 of 7');
      await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
      await page.keyboard.press('c');
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByTestId('image-frame').waitFor();
      await page.keyboard.press('Control+z');
      await soon(verdicts).toEqual(none());
      const language = page.locator('#language');
      await language.selectOption('ja');
      await language.blur();
      await page.keyboard.press('c');
      await page
        .getByRole('dialog')
        .getByText(/最も似たパッチがある画像: \S+。良品画像は、.*置かれています。$/)
        .waitFor();
      await page.keyboard.press('Escape');
      await language.selectOption('en');
      // The heatmap has such a divider, too.
      await page.getByLabel('Heatmap', { exact: true }).selectOption('split');
      await page.getByTestId('split-handle').press('ArrowLeft');
      expect(await page.getByTestId('split-handle').getAttribute('aria-valuenow')).toBe('48');
      await page.getByLabel('Heatmap', { exact: true }).selectOption('contour');
    },
    patience,
  );

  it(
    'moves neither the slider of the limit nor the image while a limit is tried',
    async () => {
      await page.goto(`${service.url}/items/${ids[1]}?type=prediction`);
      const slider = page.getByRole('slider', { name: /^Limit/ });
      const reset = page.getByRole('button', { name: /^Back to 1\.00/ });
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await slider.waitFor();
        // Not to be met by the tab key, nor by a screen reader.
        expect(await reset.count()).toBe(0);
        const places = async () =>
          Promise.all([slider, page.getByTestId('image-frame')].map((element) => element.boundingBox()));
        const before = await places();
        const [box] = before;
        if (!box) throw new Error('The slider is not on the screen.');
        await dragOver(slider, [0.9, 0.5], [0.5, 0.5]);
        expect(Math.abs(Number(await slider.inputValue()) - 0.5), String(width)).toBeLessThan(0.05);
        await reset.waitFor();
        expect(await places(), String(width)).toEqual(before);
        expect(await findBarriers(page)).toEqual([]);
        await reset.click();
        await reset.waitFor({ state: 'hidden' });
        expect(await places(), String(width)).toEqual(before);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    },
    patience,
  );

  it(
    'takes verdicts back, by key and by touch, and shows the last five',
    async () => {
      await openFirst();
      await page.keyboard.press('n');
      await see('2 of 7');
      await page.keyboard.press('o');
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
      for (let place = 2; place <= 7; place++) {
        await page.keyboard.press('n');
        await see(`${place} of 7`);
      }
      await soon(() => last.count()).toBe(5);
      await last.last().click();
      await see('2 of 7');
      await page.getByRole('button', { name: /^Good/ }).click();
      await soon(verdicts).toEqual(['NG', 'OK', 'NG', 'NG', 'NG', 'NG', 'none']);
      for (const place of [2, 6, 5, 4, 3, 2, 1]) {
        await page.keyboard.press('Control+z');
        await see(`${place} of 7`);
      }
      await soon(verdicts).toEqual(none());
      await soon(() => last.count()).toBe(0);
    },
    patience,
  );

  it(
    'offers to undo a verdict, a region and what was taken over, in a message of ten seconds',
    async () => {
      const { page: other, close } = await openWithClock();
      const message = (text: string | RegExp) => other.getByRole('listitem').filter({ hasText: text });
      const undo = (text: string | RegExp) => message(text).getByRole('button', { name: 'Undo', exact: true });
      await other.goto(`${service.url}/items/${ids[1]}?type=prediction&at=1`);
      await other.getByText('2 of 7').waitFor();
      const name = (await items())[1]?.name ?? '';
      await other.keyboard.press('n');
      await other.getByText('3 of 7').waitFor();
      await soon(verdicts).toEqual(['none', 'NG', ...none().slice(2)]);
      await undo(`NG: ${name}`).click();
      await soon(verdicts).toEqual(none());
      await other.getByText('2 of 7').waitFor();
      await message(`NG: ${name}`).waitFor({ state: 'detached' });
      // It goes after ten seconds, and a button stays.
      await other.keyboard.press('n');
      await undo(`NG: ${name}`).waitFor();
      await other.clock.fastForward(9_000);
      await undo(`NG: ${name}`).waitFor();
      await other.clock.fastForward(1_500);
      await message(`NG: ${name}`).waitFor({ state: 'detached' });
      await other.getByRole('button', { name: `Undo: NG: ${name}` }).click();
      await soon(verdicts).toEqual(none());
      await other.getByText('2 of 7').waitFor();
      const regions = async () => (await items())[1]?.user_assessment?.annotations.length ?? 'none';
      await other.keyboard.press('r');
      await dragOver(other.getByTestId('image-frame'), [0.4, 0.4], [0.55, 0.6]);
      await undo(`Regions of ${name}`).click();
      await soon(regions).toBe('none');
      await close();
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
      // No verdict was given: the list has nothing to show.
      await page.getByRole('button', { name: /^Undo: Regions of/ }).waitFor();
      expect(await page.getByRole('heading', { name: 'Your last verdicts' }).count()).toBe(0);
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
    'keeps the focus where regions were, when one is deleted by key',
    async () => {
      await openFirst();
      await page.keyboard.press('Shift+R');
      await page.keyboard.press('Shift+R');
      const focused = () => page.evaluate<string>('document.activeElement.textContent + document.activeElement.id');
      for (const [n, next] of [
        [2, /^Region 1/],
        [1, /content$/],
      ] as const) {
        await page.getByRole('button', { name: `Delete region ${n}` }).press('Enter');
        await soon(() => page.getByRole('button', { name: /^Delete region/ }).count()).toBe(n - 1);
        expect(await focused()).toMatch(next);
      }
      // The page saves a moment later.
      await soon(async () => (await items())[0]?.user_assessment?.annotations.length).toBe(0);
      await forgetVerdicts();
    },
    patience,
  );

  it(
    'takes back marks of many items, their use, and a deletion',
    async () => {
      await goTo(page, '/items');
      await page.getByRole('tab', { name: 'Inspection' }).click();
      // The list of the other tab may still be there.
      await soon(() => page.locator('a[data-index]').count()).toBe(7);
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
      // The page offers to undo when it has the answer, a moment after the service has the verdicts.
      await page
        .getByRole('listitem')
        .filter({ hasText: '3 items marked as NG' })
        .getByRole('button', { name: 'Undo' })
        .waitFor();
      expect(await verdicts()).toEqual(['NG', 'NG', 'NG', ...none().slice(3)]);
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
    },
    patience,
  );

  it(
    'deletes items, a model and a product once it no longer offers to undo it, or when the page is left',
    async () => {
      const [file] = files.test;
      if (!file) throw new Error('There is no image.');
      const spare = await service.client.uploadItems([{ ...file, name: 'spare.jpg' }], { training: 'false' });
      await request('POST', '/api/v1/targets/', { name: 'Lids' });
      const copy = await train('to go', learned.slice(0, 3), 0.5);
      const { page: other, close } = await openWithClock();
      const deletions: string[] = [];
      other.on('request', (sent) => {
        if (sent.method() === 'DELETE') deletions.push(new URL(sent.url()).pathname);
      });
      const undo = (text: string) =>
        other.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Undo', exact: true });
      const confirm = () => other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      const deleteItem = async () => {
        await other.locator('a[data-index="0"]').focus();
        await other.keyboard.press('Delete');
        await undo('1 item deleted').waitFor();
      };
      const models = () => request<{ model_id: string }[]>('GET', '/api/v1/models/');
      const has = async (id: string) => (await models()).some(({ model_id }) => model_id === id);
      const targets = () => request<unknown[]>('GET', '/api/v1/targets/');

      await goTo(other, '/items');
      await other.getByRole('tab', { name: 'Inspection' }).click();
      await deleteItem();
      await undo('1 item deleted').click();
      await other.clock.fastForward(11_000);
      expect(deletions).toEqual([]);
      await deleteItem();
      await other.clock.fastForward(9_000);
      expect(deletions).toEqual([]);
      await other.clock.fastForward(1_500);
      await soon(async () => (await items()).some(({ item_id }) => item_id === spare[0])).toBe(false);
      await undo('1 item deleted').waitFor({ state: 'detached' });

      await goTo(other, '/models');
      const row = other.getByRole('link', { name: 'to go' });
      await row.click();
      await other.getByRole('button', { name: 'Delete' }).click();
      await confirm();
      await undo('to go deleted').waitFor();
      await other.getByRole('link', { name: 'lenient' }).waitFor();
      expect(await row.count()).toBe(0);
      await undo('to go deleted').click();
      await row.click();
      await other.clock.fastForward(11_000);
      expect(await has(copy)).toBe(true);
      await other.getByRole('button', { name: 'Delete' }).click();
      await confirm();
      await undo('to go deleted').waitFor();

      await goTo(other, '/target');
      const switches = other.locator('main').getByLabel('Target', { exact: true });
      await switches.selectOption('Lids');
      await other.getByRole('button', { name: 'Delete target' }).click();
      await confirm();
      await undo('Lids deleted').waitFor();
      await soon(() => switches.locator('option').count()).toBe(1);
      await other.keyboard.press('Control+z');
      await soon(() => switches.locator('option').count()).toBe(2);
      await switches.selectOption('Lids');
      await other.getByRole('button', { name: 'Delete target' }).click();
      await confirm();
      await undo('Lids deleted').waitFor();
      expect([await has(copy), (await targets()).length]).toEqual([true, 2]);
      // Whoever leaves the page has deleted both.
      await other.reload();
      await soon(() => has(copy)).toBe(false);
      await soon(async () => (await targets()).length).toBe(1);
      await close();
    },
    patience,
  );

  it(
    'sorts by the scores of the active model, for the gallery and for the review',
    async () => {
      await goTo(page, '/items');
      await page.getByRole('tab', { name: 'Inspection' }).click();
      const scored = (await items()).flatMap(({ name, assessments }) =>
        assessments
          .filter((one) => one.model_id === lenient)
          .map((one) => ({ name, score: Number(one.anomaly_score), far: Math.abs(Number(one.anomaly_score) - 0.999) })),
      );
      const tiles = async () =>
        (await page.locator('a[data-index] span[title]').allInnerTexts()).filter((text) => /image|-|\d/.test(text));
      for (const [order, by] of [
        ['score', (one: (typeof scored)[0], other: (typeof scored)[0]) => other.score - one.score],
        ['nearness', (one: (typeof scored)[0], other: (typeof scored)[0]) => one.far - other.far],
      ] as const) {
        await page.getByLabel('Order').selectOption(order);
        const expected = scored.toSorted(by).map(({ name }) => name);
        await soon(async () => (await tiles()).filter((text) => expected.includes(text))).toEqual(expected);
        await page.locator('a[data-index="1"]').click();
        await see(`2 of ${expected.length}`);
        await page.getByRole('heading', { name: expected[1] ?? '', exact: true }).waitFor();
        await page.keyboard.press('ArrowRight');
        await page.getByRole('heading', { name: expected[2] ?? '', exact: true }).waitFor();
        await page.keyboard.press('Escape');
        await page.locator('a[data-index="0"]').waitFor();
      }
    },
    patience,
  );

  it(
    'says where a score lies among good images, and not how sure it is',
    async () => {
      await openFirst();
      await page.keyboard.press('ArrowRight');
      await see(/Higher than \d+ of 8 good images/);
      expect(await page.getByText(/Confidence/).count()).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
    },
    patience,
  );

  it(
    'colours what a model outlines anew, while its threshold is dragged',
    async () => {
      await request('PATCH', `/api/v1/items/${ids[1]}`, { good: true });
      await goTo(page, '/models');
      await page.getByRole('link', { name: 'strict' }).click();
      // A false alarm, or an item whose verdict the line changes.
      const contour = page.getByTestId('contour').first();
      const before = await contour.getAttribute('d');
      const handle = page.getByTestId('threshold-handle');
      await dragOver(handle.locator('span'), [0.5, 0.5], [40, 0.5]);
      await soon(() => contour.getAttribute('d')).not.toBe(before);
      expect(await page.getByTestId('heatmap').count()).toBeGreaterThan(0);
      expect(await findBarriers(page)).toEqual([]);
      await forgetVerdicts();
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
      const today = (verdict: string) => page.locator('dl > div', { hasText: `${verdict} today` }).innerText();
      expect(await today('OK')).not.toMatch(/judged|reviewed/);
      // Each item counts by its first verdict, although the other model is active, and called them OK later.
      await soon(() => today('NG')).toMatch(/\b6\b/);
      expect(await today('OK')).toMatch(/\b0\b/);
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

  it(
    'names the kinds of defect on the boxes of a detector, and takes them over once',
    async () => {
      const labels = [{ label: 4, name: 'deep scratch' }];
      await request('PUT', '/api/v1/labels', { labels });
      nameRegions(service.dataDir, 4);
      await request('POST', `/api/v1/models/${strict}/activate`);
      await openFirst();
      // The first was never inspected.
      await page.keyboard.press('ArrowRight');
      await page.getByTestId('model-region').getByText('deep scratch').first().waitFor();
      const found = await page.getByTestId('model-region').count();
      const adopt = page.getByRole('button', { name: 'Take over the model’s regions' });
      await adopt.click();
      await adopt.click({ force: true });
      const adopted = async () => (await items())[1]?.user_assessment?.annotations.length;
      await soon(adopted).toBe(found);
      await page.waitForTimeout(700);
      expect(await adopted()).toBe(found);
      await page.keyboard.press('Control+z');
      await soon(adopted).toBe(undefined);
      await request('POST', `/api/v1/models/${lenient}/activate`);
    },
    patience,
  );

  it(
    'keeps the image on the screen, however it is swiped',
    async () => {
      const phone = await browser.newContext({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        locale: 'en-GB',
        reducedMotion: 'reduce',
      });
      const small = await phone.newPage();
      await small.goto(`${service.url}/items/${ids[1]}?type=prediction`);
      await logIn(small);
      const frame = small.getByTestId('image-frame');
      const image = frame.getByRole('img').first();
      await image.waitFor();
      // A finger needs 44 px.
      const pressed = await boxes(small.locator(':is(button, select, [role=tab]):visible'));
      expect(pressed.filter(({ width, height }) => Math.min(width, height) < 44)).toEqual([]);
      const place = async () => {
        const [inner, outer] = [await image.boundingBox(), await frame.boundingBox()];
        if (!inner || !outer) throw new Error('The image is not on the screen.');
        return { inner, outer };
      };
      const start = (await place()).inner;
      await swipe(frame, [0.5, 0.5], [0.5, 3]);
      await soon(async () => Math.round((await place()).inner.y)).toBe(Math.round(start.y));
      await pinch(frame, 60, 300);
      for (const to of [
        [3, 3],
        [-3, -3],
      ] as const) {
        await swipe(frame, [0.5, 0.5], to);
        const { inner, outer } = await place();
        expect(inner.x).toBeLessThanOrEqual(outer.x + 13);
        expect(inner.x + inner.width).toBeGreaterThanOrEqual(outer.x + outer.width - 13);
        expect(inner.y).toBeLessThanOrEqual(outer.y + 13);
        expect(inner.y + inner.height).toBeGreaterThanOrEqual(outer.y + outer.height - 13);
      }
      await phone.close();
    },
    patience,
  );

  it(
    'keeps the tools of an image in one row on a tablet, in both languages',
    async () => {
      for (const locale of ['en-GB', 'ja-JP']) {
        const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true, locale });
        const tablet = await context.newPage();
        await tablet.goto(`${service.url}/items/${ids[1]}?type=prediction`);
        await logIn(tablet);
        await tablet.getByTestId('heatmap').waitFor();
        const bar = tablet.getByTestId('image-frame').locator('xpath=following-sibling::div[1]');
        const middles = (await boxes(bar.locator('button, select'))).map(({ y, height }) => y + height / 2);
        expect(middles.length).toBeGreaterThan(5);
        expect(Math.max(...middles) - Math.min(...middles), locale).toBeLessThan(20);
        // A second tap ends the drawing.
        const draw = tablet.getByRole('button', { name: /^Draw a region$|^領域を描く$/ });
        for (const pressed of ['true', 'false']) {
          await draw.tap();
          await soon(() => draw.getAttribute('aria-pressed')).toBe(pressed);
        }
        await context.close();
      }
    },
    patience,
  );

  it(
    'leaves room for the image on a tablet, and neither covers anything with a message nor moves the image',
    async () => {
      const resize = async (width: number, height: number) => {
        await page.setViewportSize({ width, height });
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      };
      // From the start: a request under way while the first route is added may pass it by.
      let isCut = false;
      const anyItem = '**/api/v1/items/*';
      await page.route(anyItem, (route) =>
        isCut && route.request().method() === 'PATCH' ? route.abort() : route.continue(),
      );
      await openFirst();
      for (const [width, height] of [
        [1280, 800],
        [1024, 768],
        // 1920 × 1080 and 1280 × 800 at 200 %.
        [960, 540],
        [640, 400],
        [390, 844],
        // A phone held sideways.
        [844, 390],
      ] as const) {
        await resize(width, height);
        const frame = page.getByTestId('image-frame');
        if (width === 1024) await soon(async () => (await frame.boundingBox())?.width ?? 0).toBeGreaterThan(640);
        const before = await frame.boundingBox();
        const top = page.getByRole('banner');
        // A phone keeps no room for messages: the item begins where the uppermost row ends.
        if (height < 480) expect((await page.locator('#content').boundingBox())?.y, String(width)).toBeLessThan(60);
        if (width < 768) {
          const [row, item] = await Promise.all([top.boundingBox(), page.locator('#content').boundingBox()]);
          expect(item?.y).toBeLessThan((row?.height ?? 0) + 3);
        }
        await page.keyboard.press('ArrowLeft');
        const message = page.getByRole('listitem').filter({ hasText: 'That was the first item of this list' });
        await message.waitFor();
        expect(await frame.boundingBox(), String(width)).toEqual(before);
        const logOut = page.getByRole('button', { name: 'Log out' });
        const others = [frame, logOut, page.locator('#content button:visible:not(li button)')];
        for (const box of (await Promise.all(others.map(boxes))).flat()) {
          expect(overlap(box, (await message.first().boundingBox()) ?? box), `${width}: ${JSON.stringify(box)}`).toBe(
            0,
          );
        }
        await message.first().getByRole('button', { name: 'Dismiss this message' }).click();
        await message.waitFor({ state: 'detached' });
      }
      // A long message leaves the buttons below the navigation free.
      await resize(1280, 800);
      isCut = true;
      await page.keyboard.press('n');
      const error = page.getByRole('listitem').filter({ hasText: /was not saved/ });
      await error.waitFor();
      const beside = page.locator('.shell > div:not(:has(main)) :is(a, button, select):visible:not(li *)');
      const frame = page.getByTestId('image-frame');
      for (const box of (await Promise.all([beside, frame].map(boxes))).flat())
        expect(overlap(box, (await error.boundingBox()) ?? box), JSON.stringify(box)).toBe(0);
      await page.unroute(anyItem);
      await error.getByRole('button', { name: 'Dismiss this message' }).click();
      await openFirst();
      // Without the navigation, messages have a row of their own.
      for (const width of [1280, 390]) {
        await resize(width, 800);
        if (width === 1280) await page.keyboard.press('f');
        const before = await page.getByTestId('image-frame').boundingBox();
        await page.keyboard.press('ArrowLeft');
        const message = page.getByRole('listitem').filter({ hasText: 'That was the first item of this list' });
        await message.waitFor();
        expect(await page.getByTestId('image-frame').boundingBox()).toEqual(before);
        const others = [page.getByTestId('image-frame'), page.locator('#content button:visible:not(li button)')];
        for (const box of (await Promise.all(others.map(boxes))).flat())
          expect(overlap(box, (await message.first().boundingBox()) ?? box), JSON.stringify(box)).toBe(0);
        await message.first().getByRole('button', { name: 'Dismiss this message' }).click();
        await message.waitFor({ state: 'detached' });
      }
      await page.keyboard.press('f');
      await page.setViewportSize({ width: 1280, height: 800 });
    },
    patience,
  );

  it(
    'shows scores that tell OK from NG, and whose verdict it is',
    async () => {
      const scored = (await items()).flatMap((item) =>
        item.assessments.filter((one) => one.model_id === lenient).map((one) => ({ ...one, item_id: item.item_id })),
      );
      const { item_id: id, anomaly_score: score } = scored[0] ?? { item_id: '', anomaly_score: '' };
      // Two digits would say the opposite of the verdict.
      const roundsUp = Number(Number(score).toFixed(2)) > Number(score);
      const threshold = roundsUp ? Number(score) + 0.000001 : Number(score) - 0.000001;
      await request('POST', `/api/v1/models/${lenient}/update_predict_parameters`, { threshold });
      await request('POST', `/api/v1/models/${lenient}/predict`, { item_ids: [id] });
      await service.client.waitForItems([id]);
      await request('PATCH', `/api/v1/items/${id}`, { good: false });
      await page.goto(`${service.url}/items?type=prediction`);
      const name = (await items()).find((item) => item.item_id === id)?.name ?? '';
      const tile = page.getByRole('listitem').filter({ hasText: name });
      const model = tile.getByTitle(roundsUp ? 'Model: OK' : 'Model: NG');
      await model.waitFor();
      const shown = Number.parseFloat(await model.innerText());
      expect(shown >= threshold).toBe(!roundsUp);
      await tile.getByTitle('Person: NG').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await request('POST', `/api/v1/models/${lenient}/update_predict_parameters`, { threshold: 0.999 });
      await forgetVerdicts();
    },
    patience,
  );

  it(
    'reviews with the image alone: large buttons, a film strip, kinds by one key',
    async () => {
      await request('POST', `/api/v1/models/${strict}/activate`);
      await openFirst();
      // The first was never inspected.
      await page.keyboard.press('ArrowRight');
      await see('2 of 7');
      await page.getByTestId('model-region').first().waitFor();
      await page.getByRole('button', { name: 'Review mode' }).click();
      await soon(() => page.getByRole('navigation').count()).toBe(0);
      const strip = page.getByRole('list', { name: 'Neighbours in the list' });
      await soon(() => strip.getByRole('link').count()).toBe(7);
      expect(await findBarriers(page)).toEqual([]);
      const [good, ng] = [
        page.getByRole('button', { name: /^Good/ }),
        page.getByRole('button', { name: 'NG', exact: true }),
      ];
      const [left, right] = [await good.boundingBox(), await ng.boundingBox()];
      expect(Math.min(left?.height ?? 0, right?.height ?? 0)).toBeGreaterThanOrEqual(64);
      expect(left?.x).toBeLessThan(40);
      expect((right?.x ?? 0) + (right?.width ?? 0)).toBeGreaterThan(1240);
      const scale = async () => Number.parseInt(await page.locator('output').innerText(), 10);
      // Z shows the region that was drawn, or found, large; and then the whole image.
      const before = await scale();
      await page.keyboard.press('r');
      await dragOver(page.getByTestId('image-frame'), [0.45, 0.45], [0.55, 0.55]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.keyboard.press('z');
      await soon(scale).toBeGreaterThan(1.5 * before);
      await page.keyboard.press('z');
      await soon(scale).toBe(before);
      await page.keyboard.press('Control+z');
      await see(/^Taken back: Regions of/);
      // The kind with the number 4, on the regions that the model found.
      await page.keyboard.press('4');
      await see('3 of 7');
      const labels = async (index: number) =>
        (await items())[index]?.user_assessment?.annotations.map((region) => region.label);
      await soon(() => labels(1)).toContain(4);
      await page.getByTestId('model-region').first().waitFor();
      await page.getByRole('button', { name: '4 · deep scratch' }).click();
      await see('4 of 7');
      await soon(() => labels(2)).toContain(4);
      await good.click();
      await see('5 of 7');
      await strip.getByRole('link').first().click();
      await see('1 of 7');
      for (const place of [4, 3, 2]) {
        await page.keyboard.press('Control+z');
        await see(`${place} of 7`);
      }
      await soon(verdicts).toEqual(none());
      // Drawing stays on, from item to item, until Esc.
      await page.keyboard.press('r');
      await page.keyboard.press('ArrowRight');
      await soon(() => page.getByRole('button', { name: 'Draw a region' }).getAttribute('aria-pressed')).toBe('true');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.getByRole('navigation').waitFor();
      await request('POST', `/api/v1/models/${lenient}/activate`);
    },
    patience,
  );

  it(
    'leaves room for the image in review mode on a low window, such as 1440 × 900 at 200 %',
    async () => {
      await openFirst();
      await page.setViewportSize({ width: 720, height: 450 });
      await page.keyboard.press('f');
      await soon(async () => (await page.getByTestId('image-frame').boundingBox())?.height ?? 0).toBeGreaterThan(200);
      await page.keyboard.press('f');
      await page.setViewportSize({ width: 1280, height: 800 });
    },
    patience,
  );

  it(
    'goes to the next item by a swipe over the whole image',
    async () => {
      const phone = await browser.newContext({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        locale: 'en-GB',
        reducedMotion: 'reduce',
      });
      const small = await phone.newPage();
      const large = { x_min: 20, y_min: 20, x_max: 170, y_max: 170, label: null };
      await request('PATCH', `/api/v1/items/${ids[1]}`, { annotations: [large] });
      await small.goto(`${service.url}/items/${ids[1]}?type=prediction&at=1`);
      await logIn(small);
      const frame = small.getByTestId('image-frame');
      await small.getByText('2 of 7').waitFor();
      await small.getByRole('button', { name: 'Region 1', exact: true }).waitFor();
      // Over a region, too, which stays where it is.
      await swipe(frame, [0.7, 0.5], [0.3, 0.5]);
      await small.getByText('3 of 7').waitFor();
      expect((await items())[1]?.user_assessment?.annotations).toMatchObject([large]);
      await forgetVerdicts();
      await small.reload();
      await small.getByText('3 of 7').waitFor();
      await swipe(frame, [0.2, 0.5], [0.7, 0.5]);
      await small.getByText('2 of 7').waitFor();
      // Chromium drops the tap that ends the movement of a swipe.
      await small.getByText('2 of 7').tap();
      await small.getByRole('button', { name: 'Review mode' }).tap();
      await small.getByRole('button', { name: 'Review mode', pressed: true }).waitFor();
      expect(await findBarriers(small)).toEqual([]);
      const verdictButtons = await boxes(small.getByRole('button', { name: /^(Good|NG)$/ }));
      expect(verdictButtons.map(({ height }) => height)).toEqual([64, 64]);
      // The name has room for its start and its end.
      expect((await boxes(small.getByRole('heading', { level: 1 })))[0]?.width).toBeGreaterThan(100);
      await small.getByRole('button', { name: /^Good/ }).tap();
      await small.getByText('3 of 7').waitFor();
      await small.getByRole('button', { name: /^Undo/ }).tap();
      await small.getByText('2 of 7').waitFor();
      await soon(verdicts).toEqual(none());
      // The verdict on the last item, too, can be taken back at once.
      await small.goto(`${service.url}/items/${ids[6]}?type=prediction&at=6`);
      await small.getByText('7 of 7').waitFor();
      await small.keyboard.press('o');
      await small.getByRole('listitem').filter({ hasText: 'That was the last item' }).waitFor({ state: 'attached' });
      // Before that message goes by itself.
      await small.getByRole('button', { name: /^Undo/ }).tap({ timeout: 2_000 });
      await soon(verdicts).toEqual(none());
      await phone.close();
    },
    patience,
  );

  it(
    'tells in Japanese what a detector does while it learns',
    async () => {
      const region = { x_min: 40, y_min: 40, x_max: 120, y_max: 120, label: 4 };
      const bad = files.test.slice(-4).map((file) => ({ ...file, name: `ng-${file.name}` }));
      const defects = await service.client.uploadItems(bad, { training: 'true', good: 'false' });
      for (const id of defects) await request('PATCH', `/api/v1/items/${id}`, { annotations: [region] });
      await page.getByRole('combobox', { name: 'Language' }).selectOption('ja');
      await goTo(page, '/models');
      const override_params = [
        { algorithm_parameter_id: 502, value: '64' },
        // Long enough to be seen: the page asks once a second.
        { algorithm_parameter_id: 506, value: '300' },
      ];
      const order = { name: '検出', override_params };
      const { model_id } = await request<{ model_id: string }>(
        'POST',
        '/api/v1/algorithms/defect-detector/train',
        order,
      );
      await page.getByRole('link', { name: '検出' }).click();
      const seen = new Set<string>();
      const read = async () => {
        const texts = await page.locator('#content p[aria-live]').allInnerTexts();
        for (const text of texts) seen.add(text);
        return (await request<{ status: string }>('GET', `/api/v1/models/${model_id}`)).status;
      };
      await expect.poll(read, { timeout: 2 * patience, interval: 100 }).toBe('ready');
      expect([...seen].filter((text) => /欠陥/.test(text)).length).toBeGreaterThan(0);
      expect([...seen].flatMap((text) => englishWords(text))).toEqual([]);
      await page.getByRole('combobox', { name: '言語' }).selectOption('en');
    },
    3 * patience,
  );
});

/** Labels all regions of models, as a detector does. */
function nameRegions(dataDir: string, label: number): void {
  const database = new Database(join(dataDir, 'kensa.db'));
  database
    .prepare('update assessment_images set regions = replace(regions, \'"label":null\', ?)')
    .run(`"label":${label}`);
  database.close();
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The boxes of all elements that are on the screen. */
async function boxes(elements: Locator): Promise<Box[]> {
  const found = await Promise.all((await elements.all()).map((element) => element.boundingBox()));
  return found.filter((box) => box !== null);
}

/** In square pixels. */
function overlap(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}
