import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoFile, demoFiles } from '../support/demo-images.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { countDialogs, dropFiles, findBarriers, goTo, logIn, stayWhenAsked } from '../support/page-tools.ts';

const executable = findChromium();
const patience = 60_000;

interface ItemBody {
  item_id: string;
  user_assessment?: { result: string };
}

/** Where the focus is, what keys act on, and what becomes of work when something goes wrong. */
describe.skipIf(!executable)('the page, by keys and through failures', () => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  let images: DemoFile[];

  const focused = () => page.evaluate<string>('document.activeElement.name || document.activeElement.innerText');
  const focusedIndex = () => page.evaluate<string | undefined>('document.activeElement.dataset.index');
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 20_000 });
  const dialogs = () => page.getByRole('dialog').count();
  const ngItems = async (): Promise<number> => {
    const { items } = await service.client.request<{ items: ItemBody[] }>(
      'GET',
      '/api/v1/items/?item_type=training&count=100',
    );
    return items.filter((item) => item.user_assessment?.result === 'NG').length;
  };

  beforeAll(async () => {
    service = await startPageService();
    images = (await demoFiles({ good: 48, testGood: 0, testDefect: 0 }, { pixels: 64 })).training;
    await service.client.uploadItems(images, { training: 'true', good: 'true' });
    browser = await launchChromium(executable ?? '');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce' });
    page.setDefaultTimeout(20_000);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it(
    'puts the focus where the next thing is typed',
    async () => {
      await page.goto(service.url);
      await logIn(page, 'not the secret');
      await page.getByRole('alert').waitFor();
      await expect.poll(focused).toBe('password');
      await logIn(page);
      await goTo(page, '/items');
      await page.locator('a[data-index="0"]').waitFor();
      const add = page.getByRole('button', { name: 'Add images' });
      await add.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await dropFiles(page.getByRole('dialog'), images.slice(0, 2));
      await see('2 files chosen');
      await page.keyboard.press('Escape');
      await expect.poll(dialogs).toBe(0);
      expect(await focused()).toBe('Add images');
    },
    patience,
  );

  it(
    'judges by keys only what has the focus',
    async () => {
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('n');
      await page.keyboard.press('Delete');
      await page.keyboard.press('ArrowRight');
      expect(await focusedIndex()).toBe('0');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('n');
      await see('1 item marked as NG');
      expect(await page.getByText(/deleted$/).count()).toBe(0);
      expect(await ngItems()).toBe(1);
    },
    patience,
  );

  it(
    'forgets a name that was searched for when the filters are cleared',
    async () => {
      const search = page.getByRole('searchbox');
      await search.fill('good-001');
      await search.press('Enter');
      await see(/^1 item\b/);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await see(/^48 items/);
      expect(await search.inputValue()).toBe('');
    },
    patience,
  );

  it(
    'comes back from an item to its place in the list',
    async () => {
      await page.locator('a[data-index="0"]').focus();
      for (let row = 0; row < 7; row++) {
        const before = await focusedIndex();
        await page.keyboard.press('ArrowDown');
        await expect.poll(focusedIndex).not.toBe(before);
      }
      const place = await focusedIndex();
      expect(Number(place)).toBeGreaterThan(20);
      for (const wayBack of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
        await page.keyboard.press('Enter');
        await page.getByTestId('image-frame').waitFor();
        await see(`${Number(place) + 1} of 48`);
        await wayBack();
        await expect.poll(focusedIndex).toBe(place);
        await expect
          .poll(() => page.evaluate<number>('document.getElementById("content").scrollTop'))
          .toBeGreaterThan(200);
      }
    },
    patience,
  );

  it(
    'says in the title of the tab which screen it is, in both languages',
    async () => {
      const titleIs = (title: string) => expect.poll(() => page.title(), { timeout: 10_000 }).toBe(title);
      await titleIs('Items · Kensa');
      await page.keyboard.press('Enter');
      await page.getByTestId('image-frame').waitFor();
      await titleIs(`${await page.getByRole('heading', { level: 1 }).innerText()} · Kensa`);
      await page.keyboard.press('Escape');
      await titleIs('Items · Kensa');
      const language = page.locator('select:visible', { hasText: '日本語' });
      await language.selectOption('ja');
      await titleIs('検査品 · Kensa');
      const seen = new Set<string>();
      for (const path of ['/', '/train', '/models', '/target', '/operations']) {
        const before = await page.title();
        await goTo(page, path);
        await expect.poll(() => page.title(), { timeout: 10_000 }).not.toBe(before);
        await titleIs(`${await page.getByRole('heading', { level: 1 }).innerText()} · Kensa`);
        seen.add(await page.title());
      }
      expect(seen.size).toBe(5);
      await language.selectOption('en');
      await goTo(page, '/items');
      await titleIs('Items · Kensa');
    },
    patience,
  );

  it(
    'shows messages over a window that opens meanwhile, where they can be clicked',
    async () => {
      await page
        .getByRole('checkbox', { name: /^Select/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Add images' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Deleted', { exact: true }).waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await expect.poll(dialogs).toBe(0);
      await page.locator('a[data-index="0"]').focus();
    },
    patience,
  );

  it(
    'takes a verdict back that did not reach the server, and says so',
    async () => {
      // What the list knew is shown meanwhile.
      const answer = page.waitForResponse((response) => response.url().includes('?show_annotations=true'));
      await page.keyboard.press('Enter');
      await page.getByTestId('image-frame').waitFor();
      await (await answer).finished();
      await page.route('**/api/**', (route) => route.abort());
      await page.keyboard.press('n');
      await see(/^The verdict on .* was not saved\./);
      await see(/What you see may be out of date/);
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('ArrowLeft');
      await expect
        .poll(() => page.getByRole('button', { name: /^Good/ }).getAttribute('aria-pressed'), { timeout: 10_000 })
        .toBe('true');
      await page.unroute('**/api/**');
      await page.getByText(/What you see may be out of date/).waitFor({ state: 'detached' });
      expect(await ngItems()).toBe(1);
    },
    patience,
  );

  it(
    'shows on a phone where long names of a series differ',
    async () => {
      const [image] = images;
      const series = ['0001', '0002', '0003'].map((end) => `line-3_camera-left_2024-11-26T18-12-20_flange_${end}`);
      const files = series.map((name) => ({ name: `${name}.png`, bytes: image?.bytes ?? new Uint8Array() }));
      // Behind the last item of the list another message comes.
      const names = series.slice(1);
      await service.client.uploadItems(files, { training: 'false' });
      await page.setViewportSize({ width: 390, height: 844 });
      await goTo(page, '/items');
      // The starts of names in the gallery, and whether they are cut.
      const starts = () =>
        page.evaluate<boolean[]>(
          `[...document.querySelectorAll('a[data-index] [title] > span')].map((start) => start.scrollWidth > start.clientWidth)`,
        );
      await expect.poll(starts).toContain(false);
      expect(await starts()).not.toContain(true);
      await page.getByRole('tab', { name: 'Inspection' }).click();
      const link = (name: string) => page.getByRole('link', { name });
      await link(names[0] ?? '').waitFor();
      await expect.poll(starts).toContain(true);
      // Both are named in full, and once.
      for (const name of names) await page.getByRole('link', { name, exact: true }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      const pictures = { tile: new Set<string>(), heading: new Set<string>(), message: new Set<string>() };
      for (const name of names) {
        const tile = link(name).getByTitle(name, { exact: true });
        pictures.tile.add((await tile.screenshot()).toString('base64'));
        await link(name).click();
        const heading = page.getByRole('heading', { name, exact: true });
        pictures.heading.add((await heading.screenshot()).toString('base64'));
        await page.keyboard.press('n');
        const message = page.getByRole('listitem').filter({ hasText: `NG: ${name}` });
        pictures.message.add((await message.screenshot()).toString('base64'));
        await page.keyboard.press('Escape');
      }
      expect([pictures.tile.size, pictures.heading.size, pictures.message.size]).toEqual([2, 2, 2]);
      await page.setViewportSize({ width: 1280, height: 800 });
    },
    patience,
  );

  it(
    'keeps changed steps while another screen is open, and asks before they or a target go',
    async () => {
      // A message of an earlier test says more than that.
      const unsaved = page.getByText('not saved', { exact: true });
      await goTo(page, '/target');
      await page.getByLabel('Add a step').selectOption('crop');
      await unsaved.waitFor();
      await goTo(page, '/models');
      await see('No model yet');
      await stayWhenAsked(page);
      await goTo(page, '/target');
      await unsaved.waitFor();
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await unsaved.waitFor({ state: 'detached' });
      expect(await countDialogs(page)).toBe(0);
      await page.getByLabel('Add a step').selectOption('crop');
      await page.getByRole('button', { name: 'Save steps' }).click();
      await unsaved.waitFor({ state: 'detached' });
      // Its fields stay open.
      await page.getByLabel('Width', { exact: true }).waitFor();
      expect(await countDialogs(page)).toBe(0);
      await page.getByRole('button', { name: 'New target' }).click();
      await page.keyboard.type('Second');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Delete target' }).click();
      await see('Delete Second?');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await see('Second deleted');
      expect(await dialogs()).toBe(0);
    },
    patience,
  );

  it(
    'keeps the window for the next login open, however often Escape is pressed',
    async () => {
      await service.restart('another secret of the tests');
      // What the page asks for by itself may have opened the window already: it lies over the link.
      await page.locator('nav a[href="/models"]:visible').dispatchEvent('click');
      await page.getByRole('dialog').waitFor();
      for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
      await page.waitForTimeout(200);
      expect(await dialogs()).toBe(1);
      await logIn(page, 'another secret of the tests');
      await expect.poll(dialogs, { timeout: 10_000 }).toBe(0);
    },
    patience,
  );
});
