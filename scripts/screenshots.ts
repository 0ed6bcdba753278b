/** Takes pictures of every screen of the page into docs/screenshots/, on made-up products. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import type { AssessedItem } from '../src/client/kensa-client.ts';
import { startCallbackReceiver } from '../test/support/callback-receiver.ts';
import { demoFiles } from '../test/support/demo-images.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../test/support/page-service.ts';
import { logIn } from '../test/support/page-tools.ts';

const folder = fileURLToPath(new URL('../docs/screenshots', import.meta.url));

interface Screen {
  readonly name: string;
  readonly path: string;
  /** Brings the screen to what is worth a picture. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;
const looks = [
  { device: 'desktop', theme: 'light', locale: 'en-GB' },
  { device: 'desktop', theme: 'dark', locale: 'en-GB' },
  { device: 'phone', theme: 'light', locale: 'en-GB' },
  { device: 'phone', theme: 'dark', locale: 'ja-JP' },
] as const;

/** A product in use: two models, verdicts of people and of models, a target with steps. */
async function fillService({ client }: PageService, callbackUrl: string): Promise<Screen[]> {
  const files = await demoFiles({ good: 40, testGood: 36, testDefect: 24 }, { pixels: 512 });
  const training = await client.uploadItems(files.training, { training: 'true', good: 'true' });
  const train = async (name: string, item_ids: readonly string[]) => {
    const order = { name, item_ids };
    const model = await client.request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', order);
    return (await client.waitForModel(model.model_id)).model_id;
  };
  const modelId = await train('Flange KN-204', training);
  const other = await train('Flange, ten images', training.slice(0, 10));
  await client.request('POST', `/api/v1/models/${modelId}/update_predict_callback`, { callback_url: callbackUrl });
  const mixed = files.test.map((file, index) => ({ file, at: (index * 37) % files.test.length }));
  const shuffled = mixed.sort((one, two) => one.at - two.at).map(({ file }) => file);
  const ids = await client.uploadItems(shuffled, { training: 'false', model_id: 'active' });
  await client.request('POST', `/api/v1/models/${other}/predict`, { item_ids: ids });
  const items = await client.waitForItems(ids);
  const assess = (good: boolean) =>
    client.request('POST', '/api/v1/items/assess', {
      item_ids: ids.slice(0, 44).filter((_, index) => (shuffled[index]?.defect === undefined) === good),
      good,
    });
  await assess(true);
  await assess(false);
  await client.request('PUT', '/api/v1/labels', {
    labels: [
      { label: 1, name: 'scratch' },
      { label: 2, name: 'stain' },
    ],
  });
  await client.request('PUT', '/api/v1/targets/1', {
    name: 'Flange KN-204',
    preprocessing: [
      { name: 'crop', config: JSON.stringify({ x: 4, y: 4, width: 92, height: 92, unit: 'percent' }) },
      { name: 'equalize', config: JSON.stringify({ clip_limit: 2, tiles: 8 }) },
      { name: 'denoise', active: false, config: JSON.stringify({ window: 3 }) },
    ],
  });
  const scoreOf = (item: AssessedItem): number =>
    Number(item.assessments.find((assessment) => assessment.model_id === modelId)?.anomaly_score ?? 0);
  const [worst] = items.slice(44).sort((one, two) => scoreOf(two) - scoreOf(one));
  return screensOf(modelId, worst?.item_id ?? '');
}

function screensOf(modelId: string, itemId: string): Screen[] {
  return [
    { name: 'start', path: '/' },
    {
      name: 'items',
      path: '/items?type=prediction',
      prepare: async (page) => {
        for (const index of [1, 2])
          await page
            .getByRole('checkbox', { name: /^Select|を選択$/ })
            .nth(index)
            .click();
      },
    },
    {
      name: 'upload',
      path: '/items?type=training',
      prepare: (page) => page.getByRole('button', { name: /^Add images$|^画像を追加$/ }).click(),
    },
    {
      name: 'item',
      path: `/items/${itemId}?type=prediction`,
      prepare: (page) => page.getByTestId('heatmap').waitFor(),
    },
    {
      name: 'train',
      path: '/train',
      prepare: (page) => page.getByRole('button', { name: /^Change parameters$|^パラメータを変更$/ }).click(),
    },
    { name: 'models', path: '/models' },
    {
      name: 'model',
      path: `/models/${modelId}`,
      prepare: async (page) => {
        await page.getByTestId('threshold-handle').focus();
        for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft');
      },
    },
    { name: 'compare', path: `/models/${modelId}?tab=compare` },
    { name: 'callback', path: `/models/${modelId}?tab=callback` },
    { name: 'details', path: `/models/${modelId}?tab=details` },
    {
      name: 'target',
      path: '/target',
      prepare: async (page) => {
        await page.getByRole('button', { name: /^1\. / }).click();
        await page.getByTestId('crop-canvas').waitFor();
        await page.getByTestId('preview-tile').nth(8).waitFor();
      },
    },
    { name: 'operations', path: '/operations' },
  ];
}

/** Changes the address as a link would; a real navigation would forget the token. */
async function open(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({ idx: 1 }, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

async function save(page: Page, name: string): Promise<number> {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForTimeout(700);
  await page.evaluate("for (const part of document.querySelectorAll('*')) if (part.scrollTop > 0) part.scrollTop = 0");
  // Few colours make small files; screens have few anyway.
  const picture = await sharp(await page.screenshot())
    .png({ palette: true, colours: 160, effort: 8 })
    .toBuffer();
  writeFileSync(join(folder, `${name}.png`), picture);
  return picture.length;
}

async function photograph(
  context: BrowserContext,
  url: string,
  look: string,
  screens: readonly Screen[],
): Promise<number> {
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('input[name=name]').waitFor();
  let bytes = await save(page, `login-${look}`);
  await logIn(page);
  await page.locator('#content h1').waitFor();
  for (const screen of screens) {
    await open(page, screen.path);
    await page.locator('#content h1').waitFor();
    await page.waitForTimeout(600);
    await screen.prepare?.(page);
    bytes += await save(page, `${screen.name}-${look}`);
  }
  return bytes;
}

const executable = findChromium();
if (!executable) throw new Error('There is no Chromium to take pictures with. Install it: apt-get install chromium');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const service = await startPageService();
const receiver = await startCallbackReceiver();
const browser = await launchChromium(executable);
try {
  const screens = await fillService(service, receiver.url);
  let bytes = 0;
  for (const { device, theme, locale } of looks) {
    const context = await browser.newContext({ ...devices[device], colorScheme: theme, locale });
    bytes += await photograph(context, service.url, `${device}-${theme}`, screens);
    await context.close();
  }
  console.log(`docs/screenshots: ${(bytes / 1e6).toFixed(1)} MB`);
} finally {
  await browser.close();
  await service.stop();
  await receiver.close();
}
