import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../support/find-program.ts';
import { findFreePort } from '../support/free-port.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { findBarriers, goTo, logIn } from '../support/page-tools.ts';
import { type SimulatedCamera, startCamera } from '../support/simulated-camera.ts';
import { stripes } from '../support/trained-model.ts';

const executable = findChromium();
/** A white square on a good product. */
async function scratched(): Promise<Buffer> {
  const square = { create: { width: 30, height: 30, channels: 3, background: '#fff' } } as const;
  const input = await sharp(square).png().toBuffer();
  return sharp(await stripes(2))
    .composite([{ input, left: 30, top: 30 }])
    .png()
    .toBuffer();
}

const hasFfmpeg = hasProgram('ffmpeg');

describe.skipIf(!executable)('the screens for stations', () => {
  let root: string;
  let service: PageService;
  let browser: Browser;
  let page: Page;
  let camera: SimulatedCamera;
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 20_000 });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click();
  const dialog = () => page.getByRole('dialog');

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'kensa-page-roots-'));
    service = await startPageService({
      KENSA_WORKERS: '1',
      KENSA_FOLDER_ROOTS: root,
      KENSA_MODBUS_PORT: String(await findFreePort()),
    });
    camera = await startCamera(
      await sharp(await stripes(3))
        .jpeg({ quality: 95 })
        .toBuffer(),
    );
    const phases = [1, 2, 3, 4];
    const files = await Promise.all(
      phases.map(async (phase) => ({ name: `g-${phase}.png`, bytes: await stripes(phase) })),
    );
    const item_ids = await service.client.uploadItems(files, { training: 'true', good: 'true' });
    // A small input.
    const override_params = [{ algorithm_parameter_id: 102, value: '128' }];
    const order = { name: 'stripes', item_ids, override_params };
    const { model_id: id } = await service.client.request<{ model_id: string }>(
      'POST',
      '/api/v1/algorithms/patchcore/train',
      order,
    );
    await service.client.waitForModel(id);
    browser = await launchChromium(executable ?? '');
    page = await browser.newPage({ locale: 'en' });
    await page.goto(service.url);
    await logIn(page);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await camera?.close();
    await service?.stop();
    await rm(root, { recursive: true, force: true });
  });

  /** How large the verdict on the screen is, on which colour, and beside which shape. */
  async function lookOf(verdict: 'OK' | 'NG') {
    const panel = page.getByRole('status').filter({ hasText: verdict }).last();
    // A text: this file is compiled without the types of browsers.
    const look = new Function(
      'element',
      `const canvas = document.createElement('canvas').getContext('2d');
      canvas.fillStyle = getComputedStyle(element).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green] = canvas.getImageData(0, 0, 1, 1).data;
      const height = Number.parseFloat(getComputedStyle(element.querySelector('svg + span')).fontSize);
      return { height, red, green, shape: element.querySelector('svg path').getAttribute('d') };`,
    ) as (element: unknown) => { height: number; red: number; green: number; shape: string };
    return panel.evaluate(look);
  }

  it('make a folder station, whose form says what is wrong, and show the verdict of a file', async () => {
    await goTo(page, '/stations');
    await see('There are no stations yet');
    await press('New station');
    await dialog().getByLabel('Name', { exact: true }).fill('press 1');
    await dialog().getByLabel('Model', { exact: true }).selectOption({ index: 1 });
    await dialog().getByLabel('Where images come from').selectOption('folder');
    await dialog().getByLabel('Folder of the server').fill(join(root, 'missing'));
    await press('Test the connection');
    await see('This does not work yet. The fields say what is wrong.');
    expect(await dialog().getByLabel('Folder of the server').getAttribute('aria-invalid')).toBe('true');

    await mkdir(join(root, 'press-1'));
    await dialog().getByLabel('Folder of the server').fill(join(root, 'press-1'));
    await dialog().getByLabel('Pattern for file names').fill('(?<serial>\\d+)_');
    await dialog().getByLabel('Try it with a file name').fill('0042_top.png');
    await see('Serial number: 0042');
    await dialog().getByLabel('Pattern for file names').fill('(\\d+)_');
    await see(/named group/);
    await dialog().getByLabel('Pattern for file names').fill('(?<lot>L\\d+)/(?<serial>\\d+)_(?<side>\\w+)');
    await press('Modbus TCP');
    await press('Test the connection');
    await see('The folder is there and can be used');
    await see('Modbus TCP works');
    expect(await findBarriers(page)).toEqual([]);
    await press('Save');

    await page.getByRole('heading', { name: 'press 1' }).waitFor();
    await see('Nothing was inspected here yet');
    await mkdir(join(root, 'press-1', 'L7'));
    await writeFile(join(root, 'press-1', 'L7', '0042_top.png'), await stripes(2));
    await page.getByRole('status').getByText('OK', { exact: true }).last().waitFor({ timeout: 20_000 });
    await see('0042');
    expect(await findBarriers(page)).toEqual([]);
    const ok = await lookOf('OK');
    await writeFile(join(root, 'press-1', 'L7', '0043_top.png'), await scratched());
    await page.getByRole('status').getByText('NG', { exact: true }).last().waitFor({ timeout: 20_000 });
    await see('0043');
    const ng = await lookOf('NG');
    // 64 px are 17 mm: from three metres, letters of 15 mm are read without effort.
    for (const { height } of [ok, ng]) expect(height).toBeGreaterThanOrEqual(64);
    // Green and red, and for people who do not tell them apart another shape.
    expect(ok.green).toBeGreaterThan(1.5 * ok.red);
    expect(ng.red).toBeGreaterThan(1.5 * ng.green);
    expect(ok.shape).not.toBe(ng.shape);
    await goTo(page, '/items');
    await page.getByRole('tab', { name: 'Inspection' }).click();
    await page.getByRole('searchbox', { name: 'Serial number' }).fill('0042');
    await page.waitForURL(/serial=0042/);
    await page.getByText('0043_top').first().waitFor({ state: 'detached' });
    await see('0042_top');
    await page.getByLabel('Station', { exact: true }).selectOption({ label: 'press 1' });
    await page.waitForURL(/station_id=/);
    expect(await findBarriers(page)).toEqual([]);
    // The details of an item say what it is of, and lead to the others of the same.
    await page.getByText('0042_top').first().click();
    const details = page.getByRole('complementary');
    for (const text of ['press 1', '0042', 'L7', 'top'])
      await details.getByRole('link', { name: text, exact: true }).waitFor();
    await details.getByRole('link', { name: 'top', exact: true }).click();
    await page.waitForURL(/field=side%3Dtop/);
    await see('0042_top');
    // The list follows what happens, without a reload.
    await goTo(page, '/stations');
    const ready = page.getByText('ready', { exact: true });
    await ready.waitFor();
    await rename(join(root, 'press-1'), join(root, 'away'));
    await see(/The folder .*press-1" is not there/);
    await ready.waitFor({ state: 'detached' });
    await rename(join(root, 'away'), join(root, 'press-1'));
    await ready.waitFor();
    await page.getByRole('link', { name: 'press 1' }).first().click();
    await page.getByRole('heading', { name: 'press 1' }).waitFor();
  }, 120_000);

  it('say when the folder is gone, change the model over, change settings and delete', async () => {
    await rm(join(root, 'press-1'), { recursive: true });
    await see(/The folder .*press-1" is not there/);
    await press('Change model');
    await dialog().getByLabel('Model', { exact: true }).selectOption('');
    await press('Change over');
    await dialog().waitFor({ state: 'detached' });
    await see('takes no images');
    await press('Edit');
    // The folder is away, and the name can be changed all the same.
    await dialog().getByLabel('Name', { exact: true }).fill('press 2');
    await press('Save');
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'press 2' }).waitFor();
    await press('Delete');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await see('There are no stations yet');
  }, 120_000);

  it.skipIf(!hasFfmpeg)(
    'make a camera station, show what it sees and have it inspect',
    async () => {
      await press('New station');
      await dialog().getByLabel('Name', { exact: true }).fill('camera 1');
      await dialog().getByLabel('Model', { exact: true }).selectOption({ index: 1 });
      await dialog().getByLabel('Where images come from').selectOption('camera');
      await dialog().getByLabel('Address of the camera').fill(camera.url);
      camera.mood = 'silence';
      await press('Test the connection');
      await see('The camera sent no new image within 5 s.');
      camera.mood = 'images';
      await press('Test the connection');
      await see('The camera gave an image');
      await press('Save');
      await page.getByRole('img', { name: 'Live image' }).waitFor({ timeout: 20_000 });
      await press('Inspect now');
      await page.getByRole('status').getByText('OK', { exact: true }).last().waitFor({ timeout: 20_000 });
      expect(await findBarriers(page)).toEqual([]);
    },
    120_000,
  );

  it('say in words that a station has no model, and lead to where one is chosen', async () => {
    const station = { name: 'press 9', target_id: 1, source: { kind: 'http' }, outputs: [] };
    await service.client.request('POST', '/api/v1/stations/', station);
    await goTo(page, '/stations');
    await page.getByRole('link', { name: 'it has no model. Choose one by "Change model".' }).click();
    await page.getByRole('heading', { name: 'press 9' }).waitFor();
    await page.getByRole('button', { name: 'Change model' }).waitFor();
    expect(await page.locator('#content').innerText()).not.toContain('/api/');
    expect(await findBarriers(page)).toEqual([]);
  });
});
