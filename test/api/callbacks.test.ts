import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallbackReceiver, startCallbackReceiver, verifySignature } from '../support/callback-receiver.ts';
import { expectError } from '../support/expect-error.ts';
import { sendForm } from '../support/multipart.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Overview {
  callback_url: string;
  callback_method: string;
  secret: string;
  pending: number;
  delivered: number;
  dead: number;
  deliveries: {
    item_id: string;
    status: string;
    attempts: number;
    last_status: number | null;
    last_error: string | null;
    next_try_at: string | null;
  }[];
}

let service: TestService;
let modelId: string;
let itemIds: string[];
let receiver: CallbackReceiver;

beforeAll(async () => {
  service = await startTestService();
  ({ modelId } = await trainSmallModel(service));
  const files = await Promise.all(
    [10, 20].map(async (phase) => ({ name: `p${phase}.png`, bytes: await stripes(phase) })),
  );
  itemIds = dataOf<{ item_ids: string[] }>(await service.upload(files, { training: 'false' })).item_ids;
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startCallbackReceiver();
});
afterEach(() => receiver.close());

const set = (body: object, id = modelId) =>
  service.call('POST', `/api/v1/models/${id}/update_predict_callback`, { body });
const overview = async (id = modelId) => dataOf<Overview>(await service.call('GET', `/api/v1/models/${id}/callbacks`));
const predict = async (ids: readonly string[], id = modelId) =>
  dataOf(await service.call('POST', `/api/v1/models/${id}/predict`, { body: { item_ids: ids } }));

describe('setting a callback', () => {
  it.each([
    ['no URL', { callback_url: 'plc.local' }, 'callback_url'],
    ['another protocol', { callback_url: 'ftp://plc.local/x' }, 'callback_url'],
    ['a file', { callback_url: 'file:///etc/passwd' }, 'callback_url'],
    ['credentials', { callback_url: 'http://user:pass@plc.local/' }, 'callback_url'],
    ['a metadata address', { callback_url: 'http://169.254.169.254/latest' }, 'callback_url'],
    ['the same, written otherwise', { callback_url: 'http://[::ffff:a9fe:a9fe]/' }, 'callback_url'],
    ['a link-local address', { callback_url: 'http://[fe80::1]/' }, 'callback_url'],
    ['another method', { callback_url: 'http://plc.local/', callback_method: 'put' }, 'callback_method'],
    ['a number', { callback_url: 5 }, 'callback_url'],
    ['an unknown field', { url: 'http://plc.local/' }, 'url'],
  ])('refuses %s with 400', async (_what, body, key) => {
    expectError(await set(body), 400, key);
  });

  it('answers what is set, and removes it with an empty URL', async () => {
    const sent = { callback_url: 'http://plc.local/hook?line=7', callback_method: 'get' };
    expect((await set(sent)).body).toEqual({ data: sent });
    expect(await overview()).toMatchObject(sent);
    expect((await set({ callback_url: '' })).body).toEqual({ data: { callback_url: '', callback_method: 'get' } });
    expectError(await set(sent, 'nobody'), 404);
    expectError(await service.call('POST', `/api/v1/models/${modelId}/callbacks/test`), 422, 'callback_url');
  });
});

describe('delivery', () => {
  it('carries identity and verdict in the query, in less than 4 KB, where the method is get', async () => {
    await set({ callback_url: `${receiver.url}?line=7`, callback_method: 'get' });
    await predict(itemIds);
    const calls = await receiver.waitForCalls(2);
    const { secret } = await overview();
    for (const call of calls) {
      expect(call.method).toBe('GET');
      expect(call.url.searchParams.get('line')).toBe('7');
      expect(call.url.search.length).toBeLessThan(4096);
      expect(verifySignature(call, secret)).toBe(true);
      const { items } = JSON.parse(call.url.searchParams.get('items') ?? '') as { items: Record<string, unknown>[] };
      expect(items).toHaveLength(1);
      expect(itemIds).toContain(items[0]?.['item_id']);
      expect(items[0]).toMatchObject({ status: 'done', assessments: [{ model_id: modelId }] });
      expect(Object.keys((items[0] as { assessments: object[] }).assessments[0] ?? {}).sort()).toEqual([
        'anomaly_score',
        'label',
        'model_id',
        'result',
      ]);
    }
    await eventually(overview, ({ pending }) => pending === 0);
  });

  it('keeps what a receiver refuses for a later try, and says why', async () => {
    receiver.answer = (_call, response) => void response.writeHead(503).end('not now');
    await set({ callback_url: receiver.url, callback_method: 'post' });
    await predict(itemIds.slice(0, 1));
    const shown = await eventually(overview, ({ deliveries }) => deliveries[0]?.last_status === 503);
    expect(shown.deliveries[0]).toMatchObject({
      item_id: itemIds[0],
      status: 'pending',
      last_status: 503,
      last_error: 'The receiver answered 503.',
    });
    const kept = await service.db.selectFrom('deliveries').select('snapshot').where('status', '=', 'pending').execute();
    expect(kept.map(({ snapshot }) => JSON.parse(snapshot).callback_url)).toEqual([receiver.url]);
    const wait = Date.parse(shown.deliveries[0]?.next_try_at ?? '') - Date.now();
    expect(wait).toBeGreaterThan(5000);
    expect(wait).toBeLessThan(16_000);
    receiver.answer = (_call, response) => void response.writeHead(200).end();
    const [first, second] = await receiver.waitForCalls(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const done = await eventually(overview, ({ deliveries }) => deliveries[0]?.status === 'delivered');
    expect(done.deliveries[0]).toMatchObject({ attempts: 2, last_status: 200, last_error: null, next_try_at: null });
  });

  it('tests the callback at once with an item made for it', async () => {
    await set({ callback_url: receiver.url, callback_method: 'post' });
    const test = await service.call('POST', `/api/v1/models/${modelId}/callbacks/test`);
    expect(dataOf(test)).toMatchObject({ delivered: true, status: 204, error: null });
    expect(verifySignature(receiver.calls[0] ?? ({} as never), (await overview()).secret)).toBe(true);
    expect(receiver.calls[0]?.body).toContain('callback-test');
    await set({ callback_url: 'http://127.0.0.1:9/' });
    const failed = await service.call('POST', `/api/v1/models/${modelId}/callbacks/test`);
    expect(dataOf(failed)).toMatchObject({ delivered: false, status: null });
  });

  it('is not held up by a receiver that hangs', async () => {
    const hanging = await startCallbackReceiver();
    let open = 0;
    let mostOpen = 0;
    hanging.answer = (_call, response) => {
      mostOpen = Math.max(mostOpen, ++open);
      response.on('close', () => open--);
    };
    const copy = await service.call('POST', '/api/v1/models/export', { body: { model_ids: [modelId] } });
    const file = { name: 'models.zip', bytes: copy.bytes };
    const answer = await sendForm(service, '/api/v1/models/import', [{ field: 'models', file }]);
    const [second] = dataOf<{ model_id: string }[]>(answer);
    const secondId = second?.model_id ?? '';
    try {
      await set({ callback_url: hanging.url, callback_method: 'post' }, secondId);
      await set({ callback_url: receiver.url, callback_method: 'post' });
      const many = await Promise.all(
        Array.from({ length: 24 }, async (_, phase) => ({ name: `m${phase}.png`, bytes: await stripes(phase) })),
      );
      const ids = dataOf<{ item_ids: string[] }>(await service.upload(many, { training: 'false' })).item_ids;
      await predict(ids, secondId);
      await eventually(
        () => overview(secondId),
        ({ deliveries }) => deliveries.length === ids.length,
      );
      await predict(itemIds);
      await receiver.waitForCalls(2, 9000);
      expect(mostOpen).toBe(4);
    } finally {
      await set({ callback_url: '' }, secondId);
      await hanging.close();
    }
  });
});

describe('a webhook of a station', () => {
  it('is called with each result, signed with the key of the station, and listed', async () => {
    const settings = { name: 'press', model_id: modelId, outputs: [{ kind: 'webhook', url: receiver.url }] };
    const made = await service.call('POST', '/api/v1/stations/', { body: settings });
    const { station_id: id } = dataOf<{ station_id: string }>(made);
    const file = { name: 'a.png', bytes: await stripes(1) };
    const path = `/api/v1/stations/${id}`;
    const origin = { serial: '0042', lot: 'L7', fields: { side: 'top' } };
    const answer = await sendForm(service, `${path}/inspect?timeout_ms=30000`, [
      ...Object.entries({ ...origin, fields: JSON.stringify(origin.fields) }).map(([field, text]) => ({ field, text })),
      { field: 'files', file },
    ]);
    const { item_id: itemId } = dataOf<{ item_id: string }>(answer);
    const [call] = await receiver.waitForCalls(1);
    const readDeliveries = async () =>
      dataOf<Pick<Overview, 'secret' | 'deliveries'>>(await service.call('GET', `${path}/deliveries`));
    const shown = await eventually(readDeliveries, ({ deliveries }) => deliveries[0]?.status === 'delivered');
    expect(shown.deliveries).toMatchObject([{ output: 'webhook', item_id: itemId, attempts: 1 }]);
    expect(call && verifySignature(call, shown.secret)).toBe(true);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ items: [{ item_id: itemId, station_id: id, ...origin }] });
    // The station is not told of a later prediction of the same item.
    await predict([itemId]);
    await eventually(
      async () => dataOf<{ status: string }>(await service.call('GET', `/api/v1/items/${itemId}`)),
      ({ status }) => status === 'done',
    );
    expect((await readDeliveries()).deliveries).toHaveLength(1);
    await service.call('DELETE', path);
    expectError(await service.call('GET', `${path}/deliveries`), 404);
  });
});
