// Measures the page in Chromium: npm run bench:page [-- items [folder]]. First load, frames while the gallery scrolls, the
// time from a click to the heatmap, and how fast images are reviewed, by key and by touch: those of the folder (PNG and
// JPEG, its folders too), else made-up ones. Writes bench/results/page.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { SqliteDatabase } from '../src/storage/data-dir.ts';
import { demoFiles } from '../test/support/demo-images.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../test/support/page-service.ts';
import { logIn } from '../test/support/page-tools.ts';

const itemCount = Number(process.argv[2] ?? 50_000);
const folder = process.argv[3];
/** In ten minutes, 500 images are to be reviewed by key and 300 by touch. */
const limits = { firstLoadBytes: 250_000, framesPerSecond: 58, heatmapMs: 300, byKey: 50, byTouch: 30 };
const reviewed = { byKey: 500, byTouch: 300 };

/** A trained model, items with a verdict, and many more items that share their images. */
async function fill({ client, dataDir }: PageService): Promise<void> {
  const files = await demoFiles({ good: 20, testGood: 6, testDefect: 6 }, { pixels: 512 });
  await client.uploadItems(files.training, { training: 'true', good: 'true' });
  const model = await client.request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', {});
  await client.waitForModel(model.model_id);
  const db = new SqliteDatabase(join(dataDir, 'kensa.db'));
  db.pragma('busy_timeout = 10000');
  const blobs = db.prepare('select blob, width, height, file_size from item_images').all() as object[];
  const item = db.prepare(
    `insert into items (item_id, name, status, active, is_training, created_at) values (?, ?, 'pending', 1, 0, ?)`,
  );
  const image = db.prepare(
    `insert into item_images (item_id, position, name, blob, format, width, height, file_size)
     values (@id, 0, 'image.jpg', @blob, 'jpeg', @width, @height, @file_size)`,
  );
  db.transaction(() => {
    for (let index = 0; index < itemCount; index++) {
      const id = `bench-${index}`;
      item.run(id, `image ${index}`, new Date().toISOString());
      image.run({ id, ...blobs[index % blobs.length] });
    }
  })();
  db.close();
  const inspect = async (images: readonly { name: string; bytes: Uint8Array }[]) =>
    client.waitForItems(await client.uploadItems(images, { training: 'false', model_id: 'active' }));
  const images = await imagesToReview();
  // A form has at most 500 files.
  for (let start = 0; start < images.length; start += 250) await inspect(images.slice(start, start + 250));
  await inspect(files.test);
}

/** So many that none is shown twice. */
async function imagesToReview() {
  const count = Math.max(reviewed.byKey, reviewed.byTouch) + 1;
  if (folder === undefined)
    return (await demoFiles({ good: 0, testGood: count / 2, testDefect: count / 2 }, { pixels: 512 })).test;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(jpe?g|png)$/i.test(name),
  );
  return names.slice(0, count).map((name) => ({
    name: name.replaceAll('/', '-'),
    bytes: readFileSync(join(folder ?? '', name)),
  }));
}

/** What is transferred before the first screen is complete, the parts that are fetched after the log-in too. */
async function measureFirstLoad(page: Page, url: string): Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().startsWith(`${url}/api/`)) return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(url);
  await logIn(page);
  // The sign-in page has a heading too.
  await page.locator('#content h1').waitFor();
  await page.waitForFunction(isAtRest);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Scrolls by a row a frame for three seconds. Intervals between frames in milliseconds, shortest first. */
function scrollGallery(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const content = document.getElementById('content');
    const intervals = [];
    const startedAt = performance.now();
    let before = startedAt;
    const frame = (now) => {
      intervals.push(now - before);
      before = now;
      content.scrollTop += 60;
      if (now - startedAt < 3000) requestAnimationFrame(frame);
      else resolve(intervals.slice(1).sort((one, other) => one - other));
    };
    requestAnimationFrame(frame);
  })`);
}

/** From the click on a tile until its heatmap is visible. */
async function measureHeatmap(page: Page, index: number): Promise<number> {
  const tile = page.locator(`a[data-index="${index}"]`);
  await tile.waitFor();
  const shown = page.evaluate<number>(`new Promise((resolve) => {
    document.addEventListener('click', () => {
      const clickedAt = performance.now();
      const look = () => {
        const heatmap = document.querySelector('[data-testid=heatmap]');
        if (heatmap) resolve(performance.now() - clickedAt);
        else requestAnimationFrame(look);
      };
      look();
    }, { capture: true, once: true });
  })`);
  await tile.click();
  const ms = await shown;
  await page.keyboard.press('Escape');
  return ms;
}

interface ReviewSpeed {
  readonly perMinute: number;
  /** From the press to the next image, decoded and drawn. Milliseconds, shortest first. */
  readonly times: readonly number[];
}

/** Notes how long after each press another image is drawn: decoded, and two frames of the browser later. */
const watchImages = `(() => {
  window.drawn = [];
  const shown = () => document.querySelector('[data-testid=image-frame] img');
  const onPress = () => {
    const pressedAt = performance.now();
    const before = shown()?.src;
    const look = async () => {
      const image = shown();
      if (!image || image.src === before || !image.complete || image.naturalWidth === 0) return requestAnimationFrame(look);
      await image.decode();
      requestAnimationFrame(() => requestAnimationFrame(() => window.drawn.push(performance.now() - pressedAt)));
    };
    requestAnimationFrame(look);
  };
  addEventListener('keydown', onPress, { capture: true });
  addEventListener('pointerdown', onPress, { capture: true });
})()`;

// Sent to the browser, whose types are not known here.
const isAtRest = new Function(
  'return performance.now() - Math.max(...performance.getEntriesByType("resource").map((one) => one.responseEnd)) > 1000',
) as () => boolean;
const hasDrawn = new Function('turn', 'return window.drawn.length > turn') as (turn: number) => boolean;

/** Gives a verdict as soon as the next image is drawn. */
async function measureReview(page: Page, count: number, press: (turn: number) => Promise<void>): Promise<ReviewSpeed> {
  await page.evaluate(watchImages);
  const startedAt = performance.now();
  for (let turn = 0; turn < count; turn++) {
    await press(turn);
    await page.waitForFunction(hasDrawn, turn, { polling: 'raf' });
  }
  const perMinute = (60_000 * count) / (performance.now() - startedAt);
  return { perMinute, times: (await page.evaluate<number[]>('window.drawn')).sort((one, other) => one - other) };
}

/** In review mode, with O and N in turn. */
async function reviewByKey(page: Page): Promise<ReviewSpeed> {
  await page.locator('a[data-index="0"]').click();
  await page.getByTestId('image-frame').waitFor();
  await page.keyboard.press('f');
  return measureReview(page, reviewed.byKey, (turn) => page.keyboard.press(turn % 7 === 0 ? 'n' : 'o'));
}

/** On a phone, in review mode, with the large buttons. */
async function reviewByTouch(browser: Browser, url: string): Promise<ReviewSpeed> {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await phone.newPage();
  await page.goto(`${url}/items?type=prediction`);
  await logIn(page);
  await page.locator('a[data-index="0"]').tap();
  await page.getByRole('button', { name: 'Review mode' }).tap();
  const buttons = await Promise.all(
    [/^Good/, /^NG$/].map((name) => page.getByRole('button', { name }).last().boundingBox()),
  );
  return measureReview(page, reviewed.byTouch, async (turn) => {
    const box = buttons[turn % 7 === 0 ? 1 : 0];
    if (!box) throw new Error('The buttons are not on the screen.');
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  });
}

const executable = findChromium();
if (!executable) throw new Error('There is no Chromium to measure in. Install it: apt-get install chromium');
const service = await startPageService();
const browser = await launchChromium(executable);
try {
  await fill(service);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const firstLoadBytes = await measureFirstLoad(page, service.url);
  await page.locator('nav a[href="/items"]:visible').click();
  await page.getByRole('tab').last().click();
  await page.locator('a[data-index="0"]').waitFor();
  const heatmaps: number[] = [];
  for (let index = 0; index < 8; index++) heatmaps.push(await measureHeatmap(page, index));
  heatmaps.sort((one, other) => one - other);
  await page.locator('a[data-index="0"]').waitFor();
  const frames = await scrollGallery(page);
  await page.evaluate('document.getElementById("content").scrollTop = 0');
  const byKey = await reviewByKey(page);
  const byTouch = await reviewByTouch(browser, service.url);
  const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const framesPerSecond = (1000 * frames.length) / frames.reduce((sum, interval) => sum + interval, 0);
  const review = ({ perMinute, times }: ReviewSpeed): string =>
    `${perMinute.toFixed(0)} images a minute; ${at(times, 0.5).toFixed(0)} / ${at(times, 0.99).toFixed(0)} ms to the next image`;
  const frameTimes = `${at(frames, 0.5).toFixed(1)} / ${at(frames, 0.95).toFixed(1)} ms from frame to frame`;
  const rows = [
    ['First load', `${(firstLoadBytes / 1000).toFixed(0)} kB`, `${limits.firstLoadBytes / 1000} kB`],
    ['Scrolling the gallery', `${framesPerSecond.toFixed(1)} frames a second; p50 / p95 ${frameTimes}`, '58'],
    [
      'From a click to the heatmap',
      `p50 ${at(heatmaps, 0.5).toFixed(0)} ms, longest ${at(heatmaps, 1).toFixed(0)} ms`,
      `${limits.heatmapMs} ms`,
    ],
    [`Review of ${reviewed.byKey} by key, p50 / p99`, review(byKey), `${limits.byKey} a minute`],
    [`Review of ${reviewed.byTouch} by touch, p50 / p99`, review(byTouch), `${limits.byTouch} a minute`],
  ];
  const report = `# The page

\`npm run bench:page\`, ${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores of ${cpus()[0]?.model.trim()},
load ${loadavg()[0]?.toFixed(1)} at the end. Chromium without a GPU on the same machine as the service, ${itemCount} items; ${folder === undefined ? 'made-up images' : 'images of a real product'} are
reviewed. The next verdict comes as soon as the image is decoded and drawn, so that this is the speed of the page and not
that of a person. A load far above 2 means that other work shared the cores.

| What | Measured | Goal |
|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
  console.log(report);
  writeFileSync(new URL('results/page.md', import.meta.url), report);
  const kept =
    firstLoadBytes <= limits.firstLoadBytes &&
    framesPerSecond >= limits.framesPerSecond &&
    at(heatmaps, 0.5) <= limits.heatmapMs &&
    byKey.perMinute >= limits.byKey &&
    byTouch.perMinute >= limits.byTouch;
  process.exitCode = kept ? 0 : 1;
} finally {
  await browser.close();
  await service.stop();
}
