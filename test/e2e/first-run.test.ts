import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoFile, demoFiles } from '../support/demo-images.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { dragOver, dropFiles, findBarriers, goTo, logIn } from '../support/page-tools.ts';

const executable = findChromium();
if (!executable) console.warn('No Chromium is installed (apt-get install chromium): the page is not tested in it.');

interface ItemBody {
  item_id: string;
  name: string;
  user_assessment?: { result: string; annotations: { x_min: number; x_max: number; label: number | null }[] };
  assessments: { result: string; anomaly_score: string; annotations?: { outline?: number[][] }[] }[];
}
interface ModelBody {
  model_id: string;
  predict_parameters: { threshold: number };
}

const patience = 90_000;

/** One user's first hour, each test going on where the one before ended. */
describe.skipIf(!executable)('the page, from login to a changed verdict', () => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  let files: { training: DemoFile[]; test: DemoFile[] };
  const complaints: string[] = [];

  const items = async (type: string): Promise<ItemBody[]> =>
    (await service.client.request<{ items: ItemBody[] }>('GET', `/api/v1/items/?item_type=${type}&count=100`)).items;
  const model = async (): Promise<ModelBody> => {
    const [first] = await service.client.request<ModelBody[]>('GET', '/api/v1/models/');
    if (!first) throw new Error('There is no model.');
    return first;
  };
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: patience });

  beforeAll(async () => {
    // Fewer than the page uploads and inspects at once.
    service = await startPageService({ KENSA_QUEUE_LIMIT: '4' });
    files = await demoFiles({ good: 12, testGood: 3, testDefect: 3 });
    browser = await launchChromium(executable ?? '');
    // Colours half-way from one to another are not what axe is to judge.
    const calm = { reducedMotion: 'reduce' } as const;
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...calm });
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    // A wrong secret, a broken image and a full queue are answered with an error, which the browser logs.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4(01|13|22|25)/.test(message.text()))
        complaints.push(message.text());
    });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('lets in with the right secret only, and keeps the token out of the browser’s stores', async () => {
    await page.goto(service.url);
    expect(await findBarriers(page)).toEqual([]);
    await logIn(page, 'not the secret');
    await page.getByRole('alert').waitFor();
    await logIn(page);
    await see('From zero to a trained model in four steps');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toMatch(/eyJ/);
    expect(await findBarriers(page)).toEqual([]);
  });

  it('takes dropped images, and says which one was refused and why', async () => {
    await goTo(page, '/items');
    const broken = { name: 'broken.jpg', bytes: new TextEncoder().encode('this is not an image') };
    await dropFiles(page.getByTestId('drop-area'), [...files.training, broken]);
    await page.getByRole('dialog').getByText('13 files chosen').waitFor();
    await page.getByRole('button', { name: 'Upload 13 files' }).click();
    await see('12 files uploaded');
    await page
      .getByRole('dialog')
      .getByRole('row', { name: /broken\.jpg/ })
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await see('12 items');
    expect((await items('training')).map((item) => item.user_assessment?.result)).toEqual(Array(12).fill('OK'));
    expect(await findBarriers(page)).toEqual([]);
  });

  it('deletes with the way back open', async () => {
    await page
      .getByRole('checkbox', { name: /^Select/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Deleted', { exact: true }).waitFor({ state: 'detached' });
    expect(await items('training')).toHaveLength(12);
  });

  it(
    'trains after a look at readiness',
    async () => {
      await goTo(page, '/train');
      await see('Enough good items for a steady threshold.');
      await see(/^How long it takes will be known after the first training/);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByLabel('Name of the model').fill('First model');
      await page.getByRole('button', { name: 'Start training' }).click();
      await see('Training of First model');
      // The button that was pressed is gone. The keys act on the new screen.
      const focused = () => page.evaluate<string>('document.activeElement.id');
      await expect.poll(focused, { timeout: 10_000 }).toBe('content');
      await see('First model is ready.');
      await expect.poll(() => page.title(), { timeout: 10_000 }).toBe('First model · Kensa');
    },
    patience,
  );

  it(
    'inspects dropped images with the active model',
    async () => {
      await goTo(page, '/items');
      await page.getByRole('tab', { name: 'Inspection' }).click();
      await see('Nothing inspected yet');
      await dropFiles(page.getByTestId('drop-area'), files.test);
      await page.getByRole('button', { name: 'Upload 6 files' }).click();
      await page.getByRole('dialog').getByText('6 files uploaded').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await see('6 items');
      const ids = (await items('prediction')).map((item) => item.item_id);
      await service.client.waitForItems(ids);
      expect((await items('prediction')).every((item) => item.assessments.length === 1)).toBe(true);
    },
    patience,
  );

  it(
    'reviews with heatmap, pointer and keys',
    async () => {
      const [newest] = await items('prediction');
      await page.locator('a[data-index="0"]').click();
      await page.getByRole('heading', { name: newest?.name ?? '' }).waitFor();
      await page.getByTestId('heatmap').waitFor();
      // Where the score lies among those of the good images.
      const { held_out: known } = await service.client.request<{ held_out: { good: number[] } }>(
        'GET',
        '/api/v1/models/active/scores',
      );
      const below = known.good.filter((score) => score < Number(newest?.assessments[0]?.anomaly_score)).length;
      await see(`Higher than ${below} of ${known.good.length} good images`);
      const outlines = newest?.assessments[0]?.annotations?.filter(({ outline }) => outline) ?? [];
      // Six files are uploaded side by side: any of them may be the newest.
      expect(outlines.length > 0).toBe(newest?.assessments[0]?.result === 'NG');
      expect(await page.getByTestId('model-outline').count()).toBe(outlines.length);
      // The colours are drawn over the image, and follow a limit that is tried.
      const contour = () => page.getByTestId('contour').getAttribute('d');
      const line = await contour();
      // A wide dark line below a narrow light one, to be seen on any product.
      const edges = page.locator('svg:has(> [data-testid=contour]) > path');
      const look = (name: string) => edges.all().then((all) => Promise.all(all.map((edge) => edge.getAttribute(name))));
      expect(await look('d')).toEqual([line, line]);
      expect(await look('stroke')).toEqual(['#000', '#fff']);
      const [dark = 0, light = 0] = (await look('stroke-width')).map(Number);
      expect(dark).toBeGreaterThanOrEqual(light + 2);
      await page.getByRole('slider', { name: /^Limit/ }).fill('0.2');
      await expect.poll(contour, { timeout: 10_000 }).not.toBe(line);
      await page.getByRole('button', { name: /^Back to 0/ }).click();
      await expect.poll(contour, { timeout: 10_000 }).toBe(line);
      await page.locator('#content').focus();
      await page.keyboard.down(' ');
      await page.getByTestId('heatmap').waitFor({ state: 'detached' });
      await page.keyboard.up(' ');
      await page.getByTestId('heatmap').waitFor();
      // Contour, heat, original, split.
      await page.keyboard.press('h');
      await page.keyboard.press('h');
      await page.getByTestId('heatmap').waitFor({ state: 'detached' });
      await page.keyboard.press('h');
      await page.getByTestId('heatmap').waitFor();
      // The colours are to the right of the handle only.
      const clip = () => page.getByTestId('heatmap').locator('..').getAttribute('style');
      const handle = page.getByTestId('split-handle');
      await handle.waitFor();
      expect(await clip()).toMatch(/clip-path: inset\(0(px)? 0(px)? 0(px)? 50%\)/);
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('h');
      await handle.waitFor({ state: 'detached' });
      expect(await clip()).not.toContain('inset');
      for (let turn = 0; turn < 3; turn++) await page.keyboard.press('h');
      await handle.waitFor();

      await page.keyboard.press('r');
      await dragOver(page.getByTestId('image-frame'), [0.4, 0.4], [0.55, 0.6]);
      await page.getByRole('button', { name: 'Region 1', exact: true }).waitFor();
      await page.keyboard.press('2');
      await page.keyboard.press('ArrowRight');
      const saved = async () => (await items('prediction'))[0]?.user_assessment;
      await expect.poll(async () => (await saved())?.annotations[0]?.label, { timeout: 10_000 }).toBe(2);
      expect(await saved()).toMatchObject({ result: 'NG', annotations: [{ label: 2 }] });
      const before = (await saved())?.annotations[0]?.x_min ?? 0;
      await page.keyboard.press('Shift+ArrowRight');
      await expect.poll(async () => (await saved())?.annotations[0]?.x_min, { timeout: 10_000 }).toBe(before + 10);

      await page.keyboard.press('Escape');
      await page.keyboard.press('ArrowRight');
      await see('2 of 6');
      for (const key of ['n', 'n', 'o', 'o', 'o']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(250);
      }
      await see('That was the last item of this list');
      await expect
        .poll(async () => (await items('prediction')).map((item) => item.user_assessment?.result), { timeout: 10_000 })
        .toEqual(['NG', 'NG', 'NG', 'OK', 'OK', 'OK']);
    },
    patience,
  );

  it(
    'shows what another threshold would change, and saves it',
    async () => {
      await goTo(page, '/models');
      await page.getByRole('link', { name: 'First model' }).click();
      const handle = page.getByTestId('threshold-handle');
      await handle.waitFor();
      expect(await findBarriers(page)).toEqual([]);
      const falseAlarms = async () =>
        Number(/(\d+)/.exec(await page.getByTestId('confusion').locator('td').nth(2).innerText())?.[1]);
      const start = await falseAlarms();
      await dragOver(handle.locator('span'), [0.5, 0.5], [-20, 0.5]);
      await expect
        .poll(async () => Number(await handle.getAttribute('aria-valuenow')), { timeout: 5_000 })
        .toBeLessThan(0.5);
      await expect.poll(falseAlarms, { timeout: 5_000 }).toBeGreaterThan(start);
      await handle.focus();
      await page.keyboard.press('ArrowRight');
      const chosen = Number(await handle.getAttribute('aria-valuenow'));
      expect((await model()).predict_parameters.threshold).toBe(0.5);
      await page.getByRole('button', { name: 'Save for new inspections' }).click();
      await see(/^Saved\. New inspections use it/);
      expect((await model()).predict_parameters.threshold).toBeCloseTo(chosen, 3);
    },
    patience,
  );

  it(
    'proposes thresholds by what they reach, marked on the histogram',
    async () => {
      // The highest scores are NG, and one among the good ones, so that the cost of an escape matters.
      const scoreOf = ({ assessments: [one] }: ItemBody) => Number(one?.anomaly_score);
      const rising = (await items('prediction')).sort((one, other) => scoreOf(one) - scoreOf(other));
      const [lowest] = rising;
      for (const [rank, item] of rising.entries())
        await service.client.request('PATCH', `/api/v1/items/${item.item_id}`, { good: rank === 1 || rank === 2 });
      await goTo(page, '/models');
      await page.getByRole('link', { name: 'First model' }).click();
      const choice = (aim: string) => page.getByTestId(`choice-${aim}`);
      const proposed = async (aim: string) => Number(await choice(aim).getByRole('button').innerText());
      const placeOf = (mark: string) => page.getByTestId(`mark-${mark}`).getAttribute('style', { timeout: 5_000 });
      await choice('noEscape').getByText('No escape among 4 known NG').waitFor();
      await choice('noEscape').getByText('Escapes: 0 of 4: up to 60.2 %').waitFor();
      expect(await proposed('noEscape')).toBeLessThanOrEqual(scoreOf(lowest as ItemBody));

      const cost = page.getByRole('slider', { name: /^Least cost/ });
      await cost.fill('0');
      await see('Least cost, if an escape costs as much as 1 false alarm');
      const [line, limit] = [await placeOf('C'), await proposed('cost')];
      await cost.fill('3');
      await see('Least cost, if an escape costs as much as 1,000 false alarms');
      await expect.poll(() => proposed('cost'), { timeout: 5_000 }).toBeLessThan(limit);
      expect(await placeOf('C')).not.toBe(line);

      const strict = await proposed('falseAlarms');
      await choice('falseAlarms').getByRole('spinbutton').fill('50');
      await expect.poll(() => proposed('falseAlarms'), { timeout: 5_000 }).toBeLessThan(strict);
      const taken = await proposed('falseAlarms');
      await choice('falseAlarms').getByRole('button').click();
      const handle = page.getByTestId('threshold-handle');
      await expect.poll(() => handle.getAttribute('aria-valuenow'), { timeout: 5_000 }).toBe(String(taken));
      expect(await findBarriers(page)).toEqual([]);
      // Only tried.
      await page.getByRole('button', { name: /^Back to / }).click();
    },
    patience,
  );

  it(
    'changes verdicts by inspecting again',
    async () => {
      const verdicts = async () => (await items('prediction')).map((item) => item.assessments[0]?.result);
      const before = await verdicts();
      await page.getByRole('button', { name: 'Inspect all 6 again' }).click();
      await expect.poll(verdicts, { timeout: patience }).not.toEqual(before);
      await expect.poll(verdicts, { timeout: patience }).toEqual(Array(6).fill('NG'));
    },
    patience,
  );

  it(
    'sets up a step on the image, and previews it',
    async () => {
      await goTo(page, '/target');
      await page.getByLabel('Add a step').selectOption('crop');
      const canvas = page.getByTestId('crop-canvas');
      await canvas.waitFor();
      await page.getByTestId('preview-after').waitFor();
      // Nine items are shown at once, and follow what is drawn.
      const tiles = page.getByTestId('preview-tile');
      await expect.poll(() => tiles.count(), { timeout: 20_000 }).toBe(9);
      const pictures = () => tiles.evaluateAll((images: { src: string }[]) => images.map(({ src }) => src));
      const before = await pictures();
      expect(new Set(before).size).toBe(9);
      await dragOver(canvas, [0.06, 0.06], [0.5, 0.5]);
      const areNew = async () => (await pictures()).filter((src, index) => src !== before[index]).length;
      await expect.poll(areNew, { timeout: 20_000 }).toBe(9);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save steps' }).click();
      await see(/^Steps saved/);
      const [target] = await service.client.request<{ preprocessing: { name: string; config: string }[] }[]>(
        'GET',
        '/api/v1/targets/',
      );
      expect(target?.preprocessing).toHaveLength(1);
      const config = JSON.parse(target?.preprocessing[0]?.config ?? '{}') as { width: number; unit: string };
      expect(config.unit).toBe('percent');
      expect(config.width).toBeGreaterThan(30);
      expect(config.width).toBeLessThan(60);
    },
    patience,
  );

  it(
    'shows the operations, in Japanese and in dark too',
    async () => {
      await goTo(page, '/operations');
      await see('Hash of this machine');
      await page.getByRole('combobox', { name: 'Language' }).selectOption('ja');
      await page.getByRole('heading', { name: '運用' }).waitFor();
      await page.getByRole('button', { name: '暗い配色' }).click();
      expect(await findBarriers(page)).toEqual([]);
      for (const path of ['/', '/items', '/train', '/models']) {
        await goTo(page, path);
        await page.locator('#content h1').waitFor();
        expect(await findBarriers(page), path).toEqual([]);
      }
    },
    patience,
  );

  it('did all this without an error in the browser', () => {
    expect(complaints).toEqual([]);
  });
});
