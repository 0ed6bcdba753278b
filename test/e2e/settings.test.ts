import { createHash } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoFiles } from '../support/demo-images.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { countDialogs, dragOver, findBarriers, goTo, logIn, stayWhenAsked } from '../support/page-tools.ts';

const executable = findChromium();
const patience = 60_000;

/** An engineer sets the threshold and the steps of a target, and looks for items. */
describe.skipIf(!executable)('the page, while it is set up', () => {
  let service: PageService;
  let browser: Browser;
  let page: Page;

  const see = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 10_000 });
  const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 10_000 });
  const openModel = async () => {
    await goTo(page, '/models');
    await page.getByRole('link', { name: 'flange' }).click();
    await page.getByTestId('threshold-handle').waitFor();
  };
  /** The ends of the scale, and the pixels of its labels: those of the counts, and those of the scores. */
  const drawnAxes = async () => {
    const handle = page.getByTestId('threshold-handle');
    const ends = await Promise.all(['aria-valuemin', 'aria-valuemax'].map((name) => handle.getAttribute(name)));
    // Text, because these tests are compiled without the types of a browser. A frame later the chart is drawn anew.
    const pixels = await page.evaluate<
      string[]
    >(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const plot = document.querySelector('.u-over').closest('.u-wrap');
      const canvas = plot.querySelector('canvas');
      const over = plot.querySelector('.u-over');
      const ratio = canvas.width / canvas.clientWidth;
      const part = (x, y, width, height) => {
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [width * ratio, height * ratio];
        copy.getContext('2d').drawImage(canvas, -x * ratio, -y * ratio);
        return copy.toDataURL();
      };
      const below = over.offsetTop + over.offsetHeight + 1;
      resolve([
        part(0, 0, over.offsetLeft - 1, canvas.clientHeight),
        part(0, below, canvas.clientWidth, canvas.clientHeight - below),
      ]);
    })))`);
    return [...ends, ...pixels.map((picture) => createHash('sha256').update(picture).digest('hex'))];
  };
  const config = async (): Promise<Record<string, number>> => {
    const [target] = await service.client.request<{ preprocessing: { config: string }[] }[]>('GET', '/api/v1/targets/');
    return JSON.parse(target?.preprocessing[0]?.config ?? '{}');
  };

  beforeAll(async () => {
    service = await startPageService();
    const { client } = service;
    const files = await demoFiles({ good: 8, testGood: 3, testDefect: 3 }, { pixels: 128 });
    await client.uploadItems(files.training, { training: 'true', good: 'true' });
    const override_params = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: '200' },
    ];
    const order = { name: 'flange', override_params };
    const path = '/api/v1/algorithms/patchcore/train';
    const { model_id } = await client.request<{ model_id: string }>('POST', path, order);
    await client.waitForModel(model_id);
    await client.waitForItems(await client.uploadItems(files.test, { training: 'false', model_id: 'active' }));
    browser = await launchChromium(executable ?? '');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce' });
    page.setDefaultTimeout(10_000);
    await page.goto(service.url);
    await logIn(page);
    await see('To review');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it(
    'keeps a threshold that is not saved while another screen is open, and says that it is not',
    async () => {
      await openModel();
      const handle = page.getByTestId('threshold-handle');
      const limits = async () => [
        await handle.getAttribute('aria-valuemin'),
        await handle.getAttribute('aria-valuemax'),
      ];
      const before = await limits();
      await handle.focus();
      for (let step = 0; step < 8; step++) await page.keyboard.press('Shift+ArrowRight');
      await page.getByRole('spinbutton', { name: 'Threshold' }).fill('0.97');
      // The scale stands still under the line.
      expect(await limits()).toEqual(before);
      await page.getByText('not saved', { exact: true }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await goTo(page, '/items');
      // The browser asks before it loses the threshold.
      await stayWhenAsked(page);
      await openModel();
      await soon(() => page.getByRole('spinbutton', { name: 'Threshold' }).inputValue()).toBe('0.97');
      await page.getByText('not saved', { exact: true }).waitFor();
      await page.getByRole('button', { name: /^Back to 0\.5/ }).click();
      await soon(() => page.getByText('not saved', { exact: true }).count()).toBe(0);
      // It asks for nothing that was taken back or saved.
      expect(await countDialogs(page)).toBe(0);
      const field = page.getByRole('spinbutton', { name: 'Threshold' });
      const saved = await field.inputValue();
      for (const value of ['0.45', saved]) {
        await field.fill(value);
        await page.getByRole('button', { name: 'Save for new inspections' }).click();
        await page.getByText('not saved', { exact: true }).waitFor({ state: 'detached' });
      }
      expect(await countDialogs(page)).toBe(0);
      await soon(() => field.inputValue()).toBe(saved);
    },
    patience,
  );

  it(
    'keeps the axes of its histogram still, however low or high the threshold is dragged',
    async () => {
      await openModel();
      const handle = page.getByTestId('threshold-handle');
      await handle.scrollIntoViewIfNeeded();
      const track = (await page.locator('[role=slider] >> xpath=../../..').boundingBox()) ?? { x: 0, width: 0 };
      const start = await handle.boundingBox();
      if (!start) throw new Error('The handle of the threshold is not visible.');
      const before = await drawnAxes();
      const y = start.y + start.height / 2;
      await page.mouse.move(start.x, y);
      await page.mouse.down();
      const reached: number[] = [];
      for (const share of [0.02, 0.3, 0.7, 0.98]) {
        await page.mouse.move(track.x + share * track.width, y, { steps: 5 });
        reached.push(Number(await handle.getAttribute('aria-valuenow')));
        expect(await drawnAxes(), `at ${reached.at(-1)}`).toEqual(before);
      }
      await page.mouse.up();
      expect(reached).toEqual(reached.toSorted((one, other) => one - other));
      expect((reached.at(-1) ?? 0) - (reached[0] ?? 0)).toBeGreaterThan(0.05);
      await page.getByRole('button', { name: /^Back to 0\.5/ }).click();
    },
    patience,
  );

  it(
    'writes the scores below the line of the threshold and its handle, which cover none of them',
    async () => {
      await openModel();
      await page.getByTestId('threshold-handle').scrollIntoViewIfNeeded();
      const drawn = await page.evaluate<{ covered: number; below: number }>(`(() => {
        const over = document.querySelector('.u-over').getBoundingClientRect();
        const canvas = document.querySelector('.u-over').closest('.u-wrap').querySelector('canvas');
        const { top, bottom } = canvas.getBoundingClientRect();
        const parts = [...document.querySelector('[role=slider]').parentElement.parentElement.parentElement.children];
        const end = Math.max(...parts.map((part) => part.getBoundingClientRect().bottom));
        const ratio = canvas.height / (bottom - top);
        const count = (from, to) => {
          const height = Math.floor((Math.min(to, bottom) - from) * ratio);
          if (height < 1) return 0;
          const { data } = canvas.getContext('2d').getImageData(0, (from - top) * ratio, canvas.width, height);
          return data.filter((value, index) => index % 4 === 3 && value > 0).length;
        };
        return { covered: count(over.bottom + 2, end), below: count(end, bottom) };
      })()`);
      expect(drawn.covered).toBe(0);
      expect(drawn.below).toBeGreaterThan(100);
    },
    patience,
  );

  it(
    'shows no accuracy from good images alone, and says how its bars are drawn',
    async () => {
      await openModel();
      const row = page.getByRole('row', { name: /^Accuracy/ });
      expect((await row.innerText()).replace(/\s+/g, ' ')).toBe('Accuracy – –');
      await see(/square root/);
    },
    patience,
  );

  it(
    'offers thresholds by what they reach, and says how high a rate may be',
    async () => {
      await openModel();
      // Eight held-out images: none, or one, of them is a false alarm.
      await see(/^[01] of 8: up to \d+\.\d\u00a0%$/);
      const card = page.getByRole('region', { name: 'Thresholds by what they reach' });
      const field = page.getByRole('spinbutton', { name: 'Threshold' });
      const chosen = card.getByRole('button', { name: /^0\.\d{3}$/ }).first();
      const wanted = await chosen.innerText();
      await chosen.click();
      await soon(async () => Number(await field.inputValue())).toBe(Number(wanted));
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: /^Back to 0\.5/ }).click();
    },
    patience,
  );

  it(
    'filters by a part of the name while it is typed',
    async () => {
      await goTo(page, '/items');
      await page.getByRole('tab', { name: 'Inspection' }).click();
      await see('6 items');
      await page.getByRole('searchbox', { name: 'Name contains' }).pressSequentially('good');
      await see('3 items');
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await page.getByRole('searchbox', { name: 'Name contains' }).fill('');
      await see('6 items');
      // The letters leave no trace in the history.
      await page.goBack();
      await soon(() => page.getByRole('tab', { name: 'Training' }).getAttribute('aria-selected')).toBe('true');
    },
    patience,
  );

  it(
    'draws the part to keep, wherever the drag begins',
    async () => {
      await goTo(page, '/target');
      await page.getByLabel('Add a step').selectOption('crop');
      const canvas = page.getByTestId('crop-canvas');
      await canvas.waitFor();
      for (const name of ['Left', 'Top', 'Width', 'Height', 'Unit']) {
        await page.getByLabel(name, { exact: true }).waitFor();
      }
      await soon(async () => (await canvas.getByRole('img').first().boundingBox())?.width ?? 0).toBeGreaterThan(100);
      await dragOver(canvas, [0.4, 0.4], [0.7, 0.7]);
      await page.getByRole('button', { name: 'Save steps' }).click();
      await see(/^Steps saved/);
      const drawn = await config();
      expect(drawn['width']).toBeGreaterThan(25);
      expect(drawn['width']).toBeLessThan(40);
      expect(drawn['x']).toBeGreaterThan(33);
      // Its middle moves it.
      await dragOver(canvas, [0.55, 0.55], [0.45, 0.55]);
      await page.getByRole('button', { name: 'Save steps' }).click();
      await soon(async () => (await config())['x']).toBeLessThan(33);
      expect((await config())['width']).toBe(drawn['width']);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Remove Crop' }).click();
    },
    patience,
  );

  it(
    'masks nothing until something is drawn, and takes every polygon away again',
    async () => {
      await page.getByLabel('Add a step').selectOption('mask');
      const canvas = page.getByTestId('mask-canvas');
      await canvas.waitFor();
      expect(await page.getByRole('button', { name: /^Remove polygon/ }).count()).toBe(0);
      await see('Draw at least one polygon before you save.');
      expect(await page.getByRole('button', { name: 'Save steps' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Add a rectangle in the middle' }).click();
      await page.getByRole('button', { name: 'Add a rectangle in the middle' }).click();
      // The focus stays in the list, and then on the screen.
      const focused = () =>
        page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.id');
      await page.getByRole('button', { name: 'Remove polygon 1' }).press('Enter');
      expect(await focused()).toBe('Remove polygon 1');
      await page.getByRole('button', { name: 'Remove polygon 1' }).press('Enter');
      expect(await focused()).toBe('content');
      expect(await page.getByRole('button', { name: /^Remove polygon/ }).count()).toBe(0);
      await page.getByText('Computing').waitFor({ state: 'detached' });
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Remove Mask' }).press('Enter');
      expect(await focused()).toBe('content');
    },
    patience,
  );

  it(
    'tells in the audit trail what a threshold was and is, in words of either language',
    async () => {
      const [model] = await service.client.request<{ model_id: string }[]>('GET', '/api/v1/models/');
      const change = (values: object) =>
        service.client.request('POST', `/api/v1/models/${model?.model_id}/update_predict_parameters`, values);
      await change({ threshold: 0.5, min_detected_area: 0 });
      await change({ threshold: 0.62, min_detected_area: 12 });
      await page.goto(`${service.url}/audit`);
      const row = page.getByRole('row').nth(1);
      await row.getByText('Threshold: 0.5 → 0.62').waitFor();
      await row.getByText('Smallest area: 0 → 12').waitFor();
      await page.locator('#language').selectOption('ja');
      await row.getByText('しきい値: 0.5 → 0.62').waitFor();
      await row.getByText('最小面積: 0 → 12').waitFor();
      const trail = await page.getByRole('table').innerText();
      expect(trail).not.toMatch(/[{}]/);
      expect(trail).toContain('アルゴリズム: PatchCore');
      // The client of the settings, by the name that they give it.
      expect(await row.getByRole('cell').nth(1).innerText()).toBe('inspector');
      expect(await findBarriers(page)).toEqual([]);
      await page.locator('#language').selectOption('en');
    },
    patience,
  );
});
