import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoFiles } from '../support/demo-images.ts';
import { findChromium, launchChromium, type PageService, startPageService } from '../support/page-service.ts';
import { findBarriers, logIn } from '../support/page-tools.ts';

const executable = findChromium();

/** A miss that an inspector saw becomes a new version with one press. */
describe.skipIf(!executable)('refining on the page', () => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  let parentId: string;
  let missed: string;

  beforeAll(async () => {
    service = await startPageService();
    const { client } = service;
    const files = await demoFiles({ good: 8, testGood: 1, testDefect: 1 }, { pixels: 128 });
    await client.uploadItems(files.training, { training: 'true', good: 'true' });
    const override_params = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: '200' },
    ];
    const order = { name: 'caps', override_params };
    ({ model_id: parentId } = await client.request<{ model_id: string }>(
      'POST',
      '/api/v1/algorithms/patchcore/train',
      order,
    ));
    await client.waitForModel(parentId);
    const path = `/api/v1/models/${parentId}`;
    await client.request('POST', `${path}/update_predict_parameters`, { threshold: 0.97 });
    const faulty = files.test.filter(({ defect }) => defect !== undefined);
    [missed = ''] = await client.uploadItems(faulty, { training: 'false', model_id: 'active' });
    await client.waitForItems([missed]);
    await client.request('PATCH', `/api/v1/items/${missed}`, { good: false });
    browser = await launchChromium(executable ?? '');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await browser?.close();
    await service.stop();
  });

  const active = async () =>
    (await service.client.request<{ model_id: string; active: boolean }[]>('GET', '/api/v1/models/')).find(
      (model) => model.active,
    )?.model_id;
  const refine = async () => {
    await page.getByRole('button', { name: 'Refine on this item' }).click();
    await page.getByText('1 escape found').waitFor({ timeout: 120_000 });
  };

  it('proposes a version that finds it, and shows what it changes', async () => {
    await page.goto(`${service.url}/items/${missed}`);
    await logIn(page);
    await page.getByText('differs from you').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await refine();
    const card = page.getByRole('region', { name: /^Proposal/ });
    await card.getByText('On 1 judged item, 1 verdict changes.').waitFor();
    await card.getByText('0 new false alarms').waitFor();
    expect(await card.getByRole('link').count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    expect(await active()).toBe(parentId);
  });

  it('discards the proposal', async () => {
    await page.getByRole('button', { name: 'Discard' }).click();
    await page
      .getByText(/discarded$/)
      .first()
      .waitFor();
    // Leaving the page does at once what could still be undone.
    await page.reload();
    const models = () => service.client.request<unknown[]>('GET', '/api/v1/models/');
    await expect.poll(async () => (await models()).length, { timeout: 10_000 }).toBe(1);
  });

  it('makes another one active', async () => {
    await page.goBack();
    await page.goBack();
    await refine();
    await page.getByRole('button', { name: 'Make active' }).click();
    await expect.poll(active, { timeout: 10_000 }).not.toBe(parentId);
    const [model] = await service.client.request<object[]>('GET', '/api/v1/models/');
    expect(model).toMatchObject({ active: true, parent_id: parentId });
    await page.getByRole('region', { name: /^Proposal/ }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Refine the model' }).count()).toBe(1);
  });
});
