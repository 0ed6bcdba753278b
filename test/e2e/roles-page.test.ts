import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayAct, type Role, roles } from '../../src/roles.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { findBarriers } from '../support/page-tools.ts';
import { eventually, stripes } from '../support/trained-model.ts';

const executable = findChromium();
const password = 'a password of the tests';

/** Buttons and links of each screen, with the role that they need. */
const parts: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  '/': {},
  '/items?type=prediction': { 'Add images': 'inspector' },
  '/items/ITEM?type=prediction': {
    'Good O': 'inspector',
    'NG N': 'inspector',
    'Draw a region': 'inspector',
    'Put a region in the middle': 'inspector',
    'Inspect again': 'inspector',
    'Hold …': 'engineer',
    'Zoom in': 'viewer',
  },
  '/train': { 'Start training': 'engineer' },
  '/models': { Import: 'engineer' },
  '/models/MODEL': {
    Export: 'engineer',
    Delete: 'engineer',
    'Save for new inspections': 'engineer',
  },
  '/target': { 'Save steps': 'engineer', 'New target': 'engineer', Rename: 'engineer' },
  '/stations': { 'New station': 'engineer' },
  '/stations/STATION': { Edit: 'engineer', 'Change model': 'engineer', Delete: 'engineer' },
  '/operations': { 'Download logs': 'engineer', 'Install license': 'admin' },
  '/retention': { 'New rule': 'admin', 'What would go now?': 'admin', 'New hold': 'engineer' },
  '/people': { 'Add a person': 'admin', 'Add a client': 'admin' },
  '/audit': { CSV: 'engineer' },
  '/account': { 'Change the password': 'viewer' },
};
const wholeScreens: Readonly<Record<string, Role>> = { '/train': 'engineer', '/people': 'admin', '/audit': 'engineer' };

describe.skipIf(!executable)('the page', () => {
  let service: PageService;
  let browser: Browser;
  let itemId = '';
  let modelId = '';
  let stationId = '';

  beforeAll(async () => {
    service = await startPageService({ KENSA_WORKERS: '1' });
    const { client } = service;
    for (const role of roles) await client.request('POST', '/api/v1/users', { name: `the ${role}`, role, password });
    const files = await Promise.all(
      [0, 1, 2, 3].map(async (phase) => ({ name: `stripes-${phase}.png`, bytes: await stripes(phase) })),
    );
    const item_ids = await client.uploadItems(files, { training: 'true', good: 'true' });
    const small = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: '200' },
    ];
    const order = { name: 'stripes', item_ids, override_params: small };
    const made = await client.request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', order);
    modelId = made.model_id;
    const model = () => client.request<{ status: string }>('GET', `/api/v1/models/${modelId}`);
    await eventually(model, ({ status }) => status === 'ready', 240_000);
    [itemId = ''] = await client.uploadItems([{ name: 'new.png', bytes: await stripes(9) }], {
      training: 'false',
      model_id: 'active',
    });
    const item = () => client.request<{ status: string }>('GET', `/api/v1/items/${itemId}`);
    await eventually(item, ({ status }) => status === 'done');
    const station = { name: 'press 1', target_id: 1, model_id: modelId, source: { kind: 'http' }, outputs: [] };
    stationId = (await client.request<{ station_id: string }>('POST', '/api/v1/stations/', station)).station_id;
    browser = await launchChromium(executable ?? '');
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** A page of a person with this role, and what the service refused it. */
  async function openPage(role: Role): Promise<{ page: Page; refused: string[] }> {
    const page = await browser.newPage({ locale: 'en', viewport: { width: 1280, height: 900 } });
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(`${answer.request().method()} ${new URL(answer.url()).pathname}`);
    });
    await page.goto(service.url);
    await page.locator('input[name=name]').fill(`the ${role}`);
    await page.locator('input[name=password]').fill(password);
    await page.locator('button[type=submit]').click();
    await page.locator('a[href="/account"]').waitFor();
    return { page, refused };
  }

  it.each(roles)(
    'shows the role %s what it may use, nothing else, and asks for nothing that is refused',
    async (role) => {
      const { page, refused } = await openPage(role);
      for (const [path, expected] of Object.entries(parts)) {
        await page.goto(
          service.url + path.replace('ITEM', itemId).replace('MODEL', modelId).replace('STATION', stationId),
        );
        await page.waitForLoadState('networkidle');
        const whole = wholeScreens[path];
        if (whole && !mayAct(role, whole)) await page.getByText('Not for your role').waitFor();
        for (const [name, needed] of Object.entries(expected)) {
          const found = page.getByRole('button', { name, exact: true }).first();
          if (mayAct(role, needed)) await found.waitFor({ timeout: 10_000 });
          else expect(await found.count(), `${name} on ${path}`).toBe(0);
        }
        expect(await findBarriers(page), path).toEqual([]);
      }
      expect(refused).toEqual([]);
      await page.close();
    },
  );

  it('takes no key of a viewer for a verdict, a region or a deletion', async () => {
    const { page, refused } = await openPage('viewer');
    const changes: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()));
    await page.goto(`${service.url}/items/${itemId}?type=prediction`);
    await page.getByTestId('image-frame').waitFor();
    for (const key of ['o', 'n', 'r', 'Shift+R', 'f', '1', 'Delete']) await page.keyboard.press(key);
    await page.goto(`${service.url}/items?type=prediction`);
    await page.locator(`a[href*="${itemId}"]`).first().focus();
    for (const key of ['x', 'o', 'n', 'Delete', 'Backspace']) await page.keyboard.press(key);
    await page.waitForTimeout(500);
    expect([changes, refused]).toEqual([[], []]);
    const { user_assessment: verdict } = await service.client.request<{ user_assessment?: object }>(
      'GET',
      `/api/v1/items/${itemId}`,
    );
    expect(verdict).toBeUndefined();
    await page.close();
  });
});
