import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCallbackReceiver } from '../support/callback-receiver.ts';
import { expectError } from '../support/expect-error.ts';
import { sendForm } from '../support/multipart.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Item {
  item_id: string;
  name: string;
  status: string;
  serial?: string;
  lot?: string;
  station_id?: string;
  fields?: Record<string, string>;
  assessments: { model_id: string; result: string; anomaly_score: string }[];
  images: unknown[];
}

interface Station {
  station_id: string;
  name: string;
  model_id: string | null;
  state: {
    ready: boolean;
    waiting: number;
    last_item: Item | null;
    fault: { status_text: string; status_messages: { code: string }[] } | null;
  };
}

let service: TestService;
let modelId: string;
let otherId: string;
beforeAll(async () => {
  service = await startTestService();
  const trained = await trainSmallModel(service);
  ({ modelId } = trained);
  const override_params = [
    { algorithm_parameter_id: 102, value: '128' },
    { algorithm_parameter_id: 103, value: '150' },
  ];
  const order = { name: 'other', item_ids: trained.itemIds.slice(1), override_params };
  const queued = await service.call('POST', '/api/v1/algorithms/patchcore/train', { body: order });
  otherId = dataOf<{ model_id: string }>(queued).model_id;
  await eventually(
    async () => dataOf<{ status: string }>(await service.call('GET', `/api/v1/models/${otherId}`)),
    ({ status }) => status === 'ready',
    240_000,
  );
}, 480_000);
afterAll(() => service.stop());

const create = (body: object) => service.call('POST', '/api/v1/stations/', { body });
const read = async (id: string) => dataOf<Station>(await service.call('GET', `/api/v1/stations/${id}`));
const setModel = (id: string, model: string | null) =>
  service.call('PUT', `/api/v1/stations/${id}/model`, { body: { model_id: model } });
const list = async (query: string) =>
  dataOf<{ items: Item[] }>(await service.call('GET', `/api/v1/items/?item_type=prediction&${query}`)).items;

async function inspect(path: string, name: string, fields: Record<string, string> = {}, phase = 1) {
  const parts = Object.entries(fields).map(([field, text]) => ({ field, text }));
  return sendForm(service, path, [...parts, { field: 'files', file: { name, bytes: await stripes(phase) } }]);
}
const at = (id: string, query = 'timeout_ms=30000') => `/api/v1/stations/${id}/inspect?${query}`;

let count = 0;
async function newStation(settings: object = {}): Promise<string> {
  const name = `station ${++count}`;
  return dataOf<Station>(await create({ name, model_id: modelId, ...settings })).station_id;
}

describe('stations', () => {
  it('are made, listed, changed and deleted', async () => {
    const made = await create({ name: ' caps ', name_pattern: '(?<serial>\\d+)' });
    expect(made.status).toBe(201);
    const station = dataOf<Station>(made);
    const settings = {
      name: 'caps',
      enabled: true,
      target_id: 1,
      model_id: null,
      source: { kind: 'http' },
      name_pattern: '(?<serial>\\d+)',
      outputs: [],
      retention_id: null,
    };
    expect(station).toMatchObject({ ...settings, state: { ready: false, waiting: 0, last_item: null } });
    const path = `/api/v1/stations/${station.station_id}`;
    expect((await service.call('PUT', path, { body: { name: 'bottle caps', name_pattern: null } })).status).toBe(200);
    const changed = { ...settings, name: 'bottle caps', name_pattern: null };
    expect(await read(station.station_id)).toMatchObject(changed);
    expect(dataOf<Station[]>(await service.call('GET', '/api/v1/stations/'))).toContainEqual(
      expect.objectContaining(changed),
    );
    expect(dataOf(await service.call('DELETE', path))).toEqual({ station_id: station.station_id });
    for (const method of ['GET', 'DELETE']) expectError(await service.call(method, path), 404);
    expectError(await service.call('PUT', path, { body: { enabled: false } }), 404);
    expectError(await setModel(station.station_id, modelId), 404);
    expectError(await inspect(at(station.station_id), 'a.png'), 404);
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'taken' }, 'name'],
    [{ name: 'a', target_id: 999_999 }, 'target_id'],
    [{ name: 'a', model_id: 'nobody' }, 'model_id'],
    [{ name: 'a', source: { kind: 'telepathy' } }, 'source.kind'],
    [{ name: 'a', source: { kind: 'folder' } }, 'source.path'],
    [{ name: 'a', source: { kind: 'folder', path: '/etc' } }, 'source.path'],
    [{ name: 'a', source: { kind: 'http', path: '/etc' } }, 'source.path'],
    [{ name: 'a', outputs: [{ kind: 'modbus', unit: 1 }] }, 'outputs.0.kind'],
    [{ name: 'a', outputs: [{ kind: 'pigeon' }] }, 'outputs.0.kind'],
    [{ name: 'a', name_pattern: '(?<serial>' }, 'name_pattern'],
    [{ name: 'a', name_pattern: '\\d+' }, 'name_pattern'],
    [{ name: 'a', name_pattern: '^(?<serial>(a+)+)$' }, 'name_pattern'],
    [{ name: 'a', colour: 'red' }, 'colour'],
  ])('are refused in words: %j', async (settings, key) => {
    await create({ name: 'taken' });
    expectError(await create(settings), 422, key);
    const japanese = await service.call('POST', '/api/v1/stations/', {
      body: settings,
      headers: { 'accept-language': 'ja' },
    });
    expect(expectError(japanese, 422, key).detail).toMatch(/[ぁ-ん]/);
  });

  it('say what is wrong until it is mended, and take no images meanwhile', async () => {
    const id = await newStation({ model_id: null });
    const faultOf = async () => (await read(id)).state.fault?.status_messages.map(({ code }) => code);
    const refuse = async (code: string) => {
      const error = expectError(await inspect(at(id), 'refused.png'), 409);
      expect(JSON.stringify(error.values)).toContain(code);
      expect(await list('name=refused')).toHaveLength(0);
    };
    expect(await faultOf()).toEqual(['station.no-model']);
    await refuse('station.no-model');
    const zip = await service.call('POST', '/api/v1/models/export', { body: { model_ids: [modelId] } });
    const file = { name: 'm.zip', bytes: zip.bytes };
    const imported = await sendForm(service, '/api/v1/models/import', [{ field: 'models', file }]);
    const [copy] = dataOf<{ model_id: string }[]>(imported);
    expect(dataOf<Station>(await setModel(id, copy?.model_id ?? '')).state).toMatchObject({ ready: true, fault: null });
    await service.call('DELETE', `/api/v1/models/?model_ids=${copy?.model_id}`);
    expect(await faultOf()).toEqual(['station.model-deleted']);
    await refuse('station.model-deleted');
    await setModel(id, modelId);
    await service.call('PUT', `/api/v1/stations/${id}`, { body: { enabled: false } });
    expect((await read(id)).state).toMatchObject({ ready: false, fault: null });
    await refuse('station.disabled');
  });
});

it('a station is made by the first request to a service that does not work yet', async () => {
  const idle = await startTestService({}, { work: false });
  const made = await idle.call('POST', '/api/v1/stations/', { body: { name: 'first' } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(dataOf<Station>(made)).toMatchObject({ name: 'first', target_id: 1, state: { ready: false } });
  await idle.stop();
});

describe('an inspection', () => {
  it('answers with the judged item, which knows what it is of and is found by it', async () => {
    const id = await newStation({ name_pattern: '(?<lot>L\\d+)_(?<serial>\\d+)_(?<camera>\\w+)' });
    const given = { lot: 'other lot', fields: '{"shift":"2 \\"late\\""}' };
    const answer = await inspect(at(id), 'L7_0042_top.png', given);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const item = dataOf<Item>(answer);
    const origin = {
      serial: '0042',
      lot: 'other lot',
      station_id: id,
      fields: { camera: 'top', shift: '2 "late"' },
    };
    expect(item).toMatchObject({
      name: 'L7_0042_top',
      status: 'done',
      assessments: [{ model_id: modelId }],
      ...origin,
    });
    const shown = dataOf<Item>(await service.call('GET', `/api/v1/items/${item.item_id}`));
    expect(shown).toMatchObject({
      ...origin,
      assessments: item.assessments.map((one) => ({ ...one, images: expect.anything() })),
    });
    const field = encodeURIComponent('shift=2 "late"');
    for (const query of [`station_id=${id}`, 'serial=0042', 'lot=other+lot', `field=${field}`, 'serial=0042&name=l7']) {
      expect(
        (await list(query)).map((one) => one.item_id),
        query,
      ).toEqual([item.item_id]);
    }
    for (const query of ['serial=42', 'lot=L7', 'field=shift=2', `field=${encodeURIComponent('camera=Top')}`]) {
      expect(await list(query), query).toEqual([]);
    }
    const csv = await service.call('POST', `/api/v1/targets/model/results?model_ids=${modelId}`);
    expect(csv.bytes.toString('utf8')).toContain(`,0042,other lot,${id},"{""camera"":""top""`);
    expect((await read(id)).state).toMatchObject({ waiting: 0, fault: null, last_item: { item_id: item.item_id } });
  });

  it('takes several images of one product, with a model instead of a station, and calls its receiver', async () => {
    const receiver = await startCallbackReceiver();
    const path = `/api/v1/models/${modelId}`;
    const callback = { callback_url: receiver.url, callback_method: 'post' };
    await service.call('POST', `${path}/update_predict_callback`, { body: callback });
    const files = await Promise.all(
      [3, 4].map(async (phase) => ({ name: `${phase}.png`, bytes: await stripes(phase) })),
    );
    const answer = await sendForm(service, `${path}/inspect?timeout_ms=30000`, [
      { field: 'serial', text: 'S 9' },
      ...files.map((file) => ({ field: 'files', file })),
    ]);
    const item = dataOf<Item>(answer);
    expect(item).toMatchObject({ name: '3', serial: 'S 9', status: 'done', assessments: [{ model_id: modelId }] });
    expect(item.images).toHaveLength(2);
    expect(item).not.toHaveProperty('station_id');
    const calls = await eventually(
      async () => receiver.calls,
      ({ length }) => length > 0,
    );
    expect(JSON.stringify(calls)).toContain('S 9');
    await service.call('POST', `${path}/update_predict_callback`, { body: { callback_url: '' } });
    await receiver.close();
    expectError(await inspect('/api/v1/models/nobody/inspect', 'a.png'), 400);
  });

  it('answers with the id of an item that is not judged in time, which is judged all the same', async () => {
    const id = await newStation();
    // So many that they cannot be judged between the commit and the answer.
    const images = await Promise.all(Array.from({ length: 16 }, (_, phase) => stripes(phase)));
    const parts = images.map((bytes, index) => ({ field: 'files', file: { name: `late ${index}.png`, bytes } }));
    // As many fields as an item may have.
    const fields = JSON.stringify(Object.fromEntries(images.map((_, index) => [`field ${index}`, 'x'])));
    const answer = await sendForm(service, at(id, 'timeout_ms=0'), [...parts, { field: 'fields', text: fields }]);
    expect(answer.status).toBe(202);
    const { item_id: itemId } = dataOf<Item>(answer);
    const readItem = async () => dataOf<Item>(await service.call('GET', `/api/v1/items/${itemId}`));
    const judged = await eventually(readItem, ({ status }) => status === 'done');
    expect(judged).toMatchObject({ station_id: id, assessments: [{ model_id: modelId }], fields: JSON.parse(fields) });
  });

  it('says why an item has no verdict, and the station says so until the next item is judged', async () => {
    const id = await newStation();
    const path = `/api/v1/models/${modelId}/update_predict_parameters`;
    await service.call('POST', path, { body: { ignore_outer: '40px' } });
    const small = await sendForm(service, at(id), [
      { field: 'files', file: { name: 's.png', bytes: await smallImage() } },
    ]);
    await service.call('POST', path, { body: { ignore_outer: 'none' } });
    expect(expectError(small, 422).code).toBe('inspection-failed');
    const { fault, last_item: last } = (await read(id)).state;
    expect(fault?.status_messages.map(({ code }) => code)).toEqual(['station.last-failed']);
    expect(last?.status).toBe('failed');
    expect((await inspect(at(id), 'good.png')).status).toBe(200);
    expect((await read(id)).state.fault).toBeNull();
    const cut = { name: 'cut.png', bytes: (await stripes(1)).subarray(0, 500) };
    expect(expectError(await sendForm(service, at(id), [{ field: 'files', file: cut }]), 422).code).toBe(
      'image-invalid',
    );
    expect((await list(`station_id=${id}&status=failed`)).map(({ name }) => name)).toEqual(['s']);
  });

  it('refuses what is no image, no form or no field of it, and stores nothing', async () => {
    const id = await newStation();
    const text = { name: 'x.png', bytes: Buffer.from('this is no image') };
    expectError(await sendForm(service, at(id), [{ field: 'files', file: text }]), 422, 'x.png');
    expectError(await sendForm(service, at(id), [{ field: 'serial', text: 'S' }]), 422, 'files');
    expectError(await service.call('POST', at(id), { body: {} }), 415);
    expectError(await inspect(at(id), 'a.png', { colour: 'red' }), 422, 'colour');
    expectError(await inspect(at(id), 'a.png', { serial: 'x'.repeat(201) }), 422, 'serial');
    for (const fields of ['no json', '[]', '{"a":1}', '{"a\\"b":"c"}', '{"a":"\\u0000"}', tooMany()])
      expectError(await inspect(at(id), 'a.png', { fields }), 422, 'fields');
    expectError(await inspect(at(id, 'timeout_ms=60001'), 'a.png'), 422, 'timeout_ms');
    expect(await list(`station_id=${id}`)).toEqual([]);
  });
});

describe('an upload', () => {
  it('says what its items are of, by its fields and by the names of its files', async () => {
    const id = await newStation({ name_pattern: '(?<serial>\\d+)' });
    const files = await Promise.all([1, 2].map(async (n) => ({ name: `part-${n}.png`, bytes: await stripes(n) })));
    const sent = { training: 'false', station_id: id, lot: 'upload lot', fields: '{"shift":"3"}' };
    const { item_ids: ids } = dataOf<{ item_ids: string[] }>(await service.upload(files, sent));
    const items = await list('lot=upload+lot');
    expect(items.map((item) => [item.item_id, item.serial, item.station_id, item.fields])).toEqual(
      ids.map((itemId, index) => [itemId, String(index + 1), id, { shift: '3' }]).reverse(),
    );
    expectError(await service.upload(files, { training: 'false', station_id: 'nobody' }), 422, 'station_id');
  });
});

describe('a change-over', () => {
  it('opens the new model first: one that cannot be opened is refused, and the old one stays', async () => {
    const id = await newStation();
    const zip = await service.call('POST', '/api/v1/models/export', { body: { model_ids: [modelId] } });
    const file = { name: 'm.zip', bytes: zip.bytes };
    const [copy] = dataOf<{ model_id: string }[]>(
      await sendForm(service, '/api/v1/models/import', [{ field: 'models', file }]),
    );
    const broken = copy?.model_id ?? '';
    await service.db
      .updateTable('models')
      .set({ model_blob: '0'.repeat(64) })
      .where('model_id', '=', broken)
      .execute();
    expect((await setModel(id, broken)).status).toBeGreaterThanOrEqual(400);
    expect(await read(id)).toMatchObject({ model_id: modelId, state: { ready: true, fault: null } });
    await service.call('DELETE', `/api/v1/models/?model_ids=${broken}`);
  });

  it('a hundred times under load loses no image, judges none twice, and none by a model that is not set', async () => {
    const id = await newStation();
    const phases = [0, 1, 2, 3, 4, 5, 6, 7];
    /** Scores of each image by each model. */
    const scores = new Map<string, string>();
    for (const model of [modelId, otherId]) {
      for (const phase of phases) {
        const item = dataOf<Item>(
          await inspect(`/api/v1/models/${model}/inspect?timeout_ms=30000`, 'a.png', {}, phase),
        );
        scores.set(`${model} ${phase}`, item.assessments[0]?.anomaly_score ?? '');
      }
    }
    expect(new Set(scores.values()).size).toBeGreaterThan(phases.length);
    /** The model while no change-over is on its way. */
    let settled: { model: string } | undefined = { model: modelId };
    let changing = true;
    const answered: string[] = [];
    let checked = 0;
    const send = async (line: number): Promise<void> => {
      for (let turn = line; changing; turn++) {
        const phase = phases[turn % phases.length] ?? 0;
        const before = settled;
        const answer = await inspect(at(id), 'a.png', { serial: `${line}-${turn}` }, phase);
        const item = dataOf<Item>(answer);
        expect(item.assessments).toHaveLength(1);
        const [verdict] = item.assessments;
        expect([modelId, otherId]).toContain(verdict?.model_id);
        expect(verdict?.anomaly_score).toBe(scores.get(`${verdict?.model_id} ${phase}`));
        if (before !== undefined && before === settled) {
          expect(verdict?.model_id).toBe(before.model);
          checked++;
        }
        answered.push(item.item_id);
      }
    };
    const change = async (): Promise<void> => {
      for (let turn = 1; turn <= 100; turn++) {
        const model = turn % 2 === 0 ? modelId : otherId;
        settled = undefined;
        expect((await setModel(id, model)).status).toBe(200);
        settled = { model };
        // Each tenth model stays until images were inspected while nothing changed.
        const enough = checked + (turn % 10 === 0 ? 2 : 0);
        do await new Promise((resolve) => setTimeout(resolve, (turn % 3) * 30));
        while (checked < enough);
      }
      changing = false;
    };
    await Promise.all([send(0), send(1), send(2), change()]);
    const rows = await service.db
      .selectFrom('items')
      .leftJoin('assessments', 'assessments.item_id', 'items.item_id')
      .select(['items.item_id', 'items.status', 'assessments.model_id'])
      .where('station_id', '=', id)
      .execute();
    expect(rows.map((row) => row.item_id).sort()).toEqual(answered.sort());
    expect(rows.every((row) => row.status === 'done')).toBe(true);
    expect(new Set(rows.map((row) => row.model_id))).toEqual(new Set([modelId, otherId]));
    expect(answered.length).toBeGreaterThan(100);
    expect(checked).toBeGreaterThan(10);
  }, 300_000);
});

const tooMany = (): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`field ${index}`, 'x'])));

const smallImage = async (): Promise<Buffer> =>
  sharp(await stripes(1))
    .resize(40, 40)
    .png()
    .toBuffer();
