import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresAdapter, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Act, acts } from '../../src/domains/audit/acts.ts';
import { makeVendorKeys, signLicense } from '../../src/domains/license/license-statement.ts';
import { listTables } from '../../src/storage/copy-tables.ts';
import { sendForm } from '../support/multipart.ts';
import { openBrowser } from '../support/page-browser.ts';
import { type Answer, startTestService, type TestService, testClient } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

const password = 'a password of the tests';
const refusal = 'the test lets nobody write';
let folder: string;
let settings: Record<string, string>;
let service: TestService;
let trained: { modelId: string; itemIds: string[] };
let exported: Buffer;
let license = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kensa-audit-'));
  const keys = await makeVendorKeys();
  settings = { KENSA_FTP_PORT: '0' };
  service = await startTestService(settings, { dataDir: folder });
  trained = await trainSmallModel(service);
  exported = (await service.call('POST', '/api/v1/models/export', { body: { model_ids: [trained.modelId] } })).bytes;
  const node = await service.call('POST', '/api/v1/utils/node_hash');
  const terms = { customer: 'Works 3', expiry: '2099-01-01T00:00:00.000Z', features: ['training', 'prediction'] };
  license = await signLicense({ ...terms, node: dataOf<{ hash_id: string }>(node).hash_id }, keys);
  await service.stop();
  // From here on nothing happens by itself.
  settings['LICENSE_PUBLIC_KEY'] = keys.publicKey;
  service = await startTestService(settings, { dataDir: folder, work: false });
}, 300_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const isPostgres = () => service.db.getExecutor().adapter instanceof PostgresAdapter;
const run = (statement: string) => sql.raw(statement).execute(service.db);

/** From here on, no entry of this kind can be written. */
async function refuseEntries(act: Act): Promise<void> {
  if (isPostgres()) {
    await run(`create or replace function refuse_entry() returns trigger language plpgsql
      as $$ begin raise exception '${refusal}'; end $$`);
    await run(`create trigger refuse_entry before insert on audit_log for each row when (new.act = '${act}')
      execute function refuse_entry()`);
  } else
    await run(`create trigger refuse_entry before insert on audit_log when new.act = '${act}'
      begin select raise(abort, '${refusal}'); end`);
}
const allowEntries = () => run(`drop trigger refuse_entry${isPostgres() ? ' on audit_log' : ''}`);

/** Every row of every table, and the jobs. */
async function readAll(): Promise<Record<string, string[]>> {
  const jobs = isPostgres() ? 'graphile_worker.jobs' : 'jobs';
  const all: Record<string, string[]> = {};
  for (const table of [...(await listTables(service.db)), jobs]) {
    const { rows } = await sql.raw<Record<string, unknown>>(`select * from ${table}`).execute(service.db);
    // Counted by themselves, whatever becomes of the try.
    for (const row of rows) delete row['pin_failures'];
    all[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return all;
}

const call = (method: string, path: string, body?: unknown) => service.call(method, path, body ? { body } : {});
const made = async <T = Record<string, string>>(path: string, body: unknown) =>
  dataOf<T>(await call('POST', path, body));
let number = 0;
const newName = () => `name ${++number}`;

async function newUser(role = 'engineer'): Promise<{ id: string; name: string }> {
  const name = newName();
  return { id: (await made('/api/v1/users', { name, role, password }))['user_id'] ?? '', name };
}
async function newBrowser(role = 'engineer') {
  const user = await newUser(role);
  const browser = openBrowser(service);
  expect((await browser.signIn(user.name, password)).status).toBe(200);
  return { ...user, browser };
}
async function newTerminal() {
  const { browser } = await newBrowser();
  await browser.call('PUT', '/api/v1/session/terminal', { name: newName() });
  return browser;
}
const newClient = () => made('/api/v1/clients', { name: newName(), scope: 'viewer' });
const newItem = async () => {
  const file = { name: 'part.png', bytes: await stripes(++number) };
  return dataOf<{ item_ids: string[] }>(await service.upload([file], { training: 'false' })).item_ids[0] ?? '';
};
const newTarget = async () => (await made<{ target_id: number }>('/api/v1/targets/', { name: newName() })).target_id;
const newStation = async (source = 'http') =>
  (await made('/api/v1/stations/', { name: newName(), source: { kind: source } }))['station_id'];
const rule = () => ({ name: newName(), image_days: { OK: 5, NG: 9, unjudged: 5 } });
const newRule = async () => (await made('/api/v1/retention/rules', rule()))['retention_id'];
const hold = { reason: 'complaint 4711', filter: { lot: '7' } };
const login = (id = '', secret = '') =>
  service.call('POST', '/api/auth/token', {
    token: null,
    body: { client_id: id, client_secret: secret, grant_type: 'client_credentials' },
  });
const small = [
  { algorithm_parameter_id: 102, value: '128' },
  { algorithm_parameter_id: 103, value: '200' },
];
const train = () =>
  call('POST', '/api/v1/algorithms/patchcore/train', {
    name: newName(),
    item_ids: trained.itemIds,
    override_params: small,
  });
const ofModel = (path = '') => `/api/v1/models/${trained.modelId}${path}`;
const importModel = () =>
  sendForm(service, '/api/v1/models/import', [{ field: 'models', file: { name: 'models.zip', bytes: exported } }]);

type Prepared = () => Promise<Answer>;
/** For each kind of act: prepares it, and gives what does it. */
const deeds: Readonly<Record<Exclude<Act, 'retention.remove'>, readonly (() => Promise<Prepared>)[]>> = {
  'license.install': [
    async () => () => sendForm(service, '/api/v1/utils/', [{ field: 'license_data', text: license }]),
  ],
  'session.sign-in': [
    async () => {
      const { name } = await newUser();
      return () => openBrowser(service).signIn(name, password);
    },
    async () => () => openBrowser(service).signIn(testClient.clientId, testClient.secret),
    async () => {
      const terminal = await newTerminal();
      const { browser, id } = await newBrowser('inspector');
      await browser.call('PUT', '/api/v1/session/pin', { pin: '4826' });
      return () => terminal.call('POST', '/api/v1/session/pin', { user_id: id, pin: '4826' });
    },
  ],
  'session.sign-out': [
    async () => {
      const { browser } = await newBrowser();
      return () => browser.call('DELETE', '/api/v1/session');
    },
  ],
  'session.refused': [
    async () => {
      const { name } = await newUser();
      return () => openBrowser(service).signIn(name, 'a wrong password');
    },
  ],
  'user.add': [async () => () => call('POST', '/api/v1/users', { name: newName(), role: 'viewer', password })],
  'user.change': [
    async () => {
      const { id } = await newUser();
      return () => call('PUT', `/api/v1/users/${id}`, { role: 'viewer' });
    },
    async () => {
      const { id } = await newBrowser();
      return () => call('PUT', `/api/v1/users/${id}`, { disabled: true });
    },
  ],
  'user.password': [
    async () => {
      const { id } = await newBrowser();
      return () => call('PUT', `/api/v1/users/${id}`, { password: 'another password' });
    },
    async () => {
      const { browser } = await newBrowser();
      const change = { current: password, password: 'another password' };
      return () => browser.call('PUT', '/api/v1/session/password', change);
    },
  ],
  'user.pin': [
    async () => {
      const { browser } = await newBrowser('inspector');
      return () => browser.call('PUT', '/api/v1/session/pin', { pin: '4826' });
    },
  ],
  'client.add': [async () => () => call('POST', '/api/v1/clients', { name: newName() })],
  'client.sign-in': [
    async () => {
      const { client_id: id, client_secret: secret } = await newClient();
      return () => login(id, secret);
    },
    async () => () => login(testClient.clientId, testClient.secret),
  ],
  'client.refused': [async () => () => login(testClient.clientId, 'a wrong secret')],
  'client.change': [
    async () => {
      const { client_id: id } = await newClient();
      return () => call('PUT', `/api/v1/clients/${id}`, { scope: 'inspector' });
    },
    async () => {
      const { client_id: id } = await newClient();
      return () => call('POST', `/api/v1/clients/${id}/secret`);
    },
  ],
  'client.revoke': [
    async () => {
      const { client_id: id } = await newClient();
      return () => call('DELETE', `/api/v1/clients/${id}`);
    },
  ],
  'terminal.enable': [
    async () => {
      const { browser } = await newBrowser();
      return () => browser.call('PUT', '/api/v1/session/terminal', { name: newName() });
    },
  ],
  'terminal.disable': [
    async () => {
      const browser = await newTerminal();
      return () => browser.call('DELETE', '/api/v1/session/terminal');
    },
    async () => {
      await newTerminal();
      const all = dataOf<{ terminal_id: string }[]>(await call('GET', '/api/v1/terminals'));
      return () => call('DELETE', `/api/v1/terminals/${all.at(-1)?.terminal_id}`);
    },
  ],
  'item.assess': [
    async () => {
      const id = await newItem();
      return () => call('POST', '/api/v1/items/assess', { item_ids: [id], good: true });
    },
    async () => {
      const id = await newItem();
      return () => call('POST', '/api/v1/items/assess', { item_ids: [id], is_training_data: true });
    },
    async () => {
      const id = await newItem();
      const verdicts = [{ item_id: id, good: true, annotations: [] }];
      return () => call('PUT', '/api/v1/items/verdicts', { verdicts });
    },
  ],
  'item.annotate': [
    async () => {
      const id = await newItem();
      const region = { x_min: 10, x_max: 30, y_min: 12, y_max: 20, label: 1, notes: 'at the rim' };
      return () => call('PATCH', `/api/v1/items/${id}`, { annotations: [region] });
    },
  ],
  'item.delete': [
    async () => {
      const id = await newItem();
      return () => call('DELETE', '/api/v1/items/', { item_ids: [id] });
    },
  ],
  'model.parameters': [
    async () => () => call('POST', ofModel('/update_predict_parameters'), { threshold: 0.1 + number++ / 1000 }),
  ],
  'model.callback': [
    async () => {
      const callback = { callback_url: `http://127.0.0.1:9/${newName()}`, callback_method: 'post' };
      return () => call('POST', ofModel('/update_predict_callback'), callback);
    },
  ],
  'model.activate': [async () => () => call('POST', ofModel('/activate'))],
  'model.import': [async () => importModel],
  'model.train': [async () => train],
  'model.refine': [
    async () => {
      await call('POST', '/api/v1/items/assess', { item_ids: trained.itemIds.slice(0, 1), good: true });
      return () => call('POST', ofModel('/refine'), { item_ids: trained.itemIds.slice(0, 1) });
    },
  ],
  'model.cancel': [
    async () => {
      const { model_id: id } = dataOf<{ model_id: string }>(await train());
      return () => call('POST', `/api/v1/models/${id}/cancel`);
    },
  ],
  'model.delete': [
    async () => {
      const { model_id: id } = dataOf<{ model_id: string }>(await train());
      return () => call('DELETE', `/api/v1/models/?model_ids=${id}`);
    },
  ],
  'target.add': [async () => () => call('POST', '/api/v1/targets/', { name: newName() })],
  'target.change': [
    async () => {
      const id = await newTarget();
      return () => call('PUT', `/api/v1/targets/${id}`, { name: newName() });
    },
  ],
  'target.default': [
    async () => {
      const id = await newTarget();
      return () => call('POST', `/api/v1/targets/${id}`);
    },
  ],
  'target.delete': [
    async () => {
      const id = await newTarget();
      return () => call('DELETE', `/api/v1/targets/${id}`);
    },
  ],
  'station.add': [async () => () => call('POST', '/api/v1/stations/', { name: newName() })],
  'station.change': [
    async () => {
      const id = await newStation();
      return () => call('PUT', `/api/v1/stations/${id}`, { name: newName() });
    },
  ],
  'station.model': [
    async () => {
      const id = await newStation();
      return () => call('PUT', `/api/v1/stations/${id}/model`, { model_id: trained.modelId });
    },
  ],
  'station.delete': [
    async () => {
      const id = await newStation();
      return () => call('DELETE', `/api/v1/stations/${id}`);
    },
  ],
  'station.ftp-login': [
    async () => {
      const id = await newStation('ftp');
      return () => call('POST', `/api/v1/stations/${id}/ftp_login`);
    },
  ],
  'retention.settings': [async () => () => call('PUT', '/api/v1/retention/', { daily_at: `0${number++ % 10}:30` })],
  'retention.add': [async () => () => call('POST', '/api/v1/retention/rules', rule())],
  'retention.change': [
    async () => {
      const id = await newRule();
      return () => call('PUT', `/api/v1/retention/rules/${id}`, { record_days: 60 });
    },
  ],
  'retention.delete': [
    async () => {
      const id = await newRule();
      return () => call('DELETE', `/api/v1/retention/rules/${id}`);
    },
  ],
  'retention.start': [async () => () => call('POST', '/api/v1/retention/runs', {})],
  'hold.add': [async () => () => call('POST', '/api/v1/retention/holds', hold)],
  'hold.release': [
    async () => {
      const { hold_id: id } = await made('/api/v1/retention/holds', hold);
      return () => call('DELETE', `/api/v1/retention/holds/${id}`);
    },
  ],
  'labels.change': [async () => () => call('PUT', '/api/v1/labels', { labels: [{ label: 1, name: newName() }] })],
  'reasons.change': [
    async () => () => call('PUT', '/api/v1/audit/reasons', { acts: number++ % 2 === 0 ? [] : ['labels.change'] }),
  ],
};

const cases = Object.entries(deeds).flatMap(([act, ways]) =>
  ways.map((prepare, way) => ({ act: act as Act, way: way + 1, prepare })),
);

it.each(cases)('$act ($way) does not happen where its entry cannot be written', async ({ act, prepare }) => {
  const perform = await prepare();
  const before = await readAll();
  await refuseEntries(act);
  const answer = await perform();
  await allowEntries();
  expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(500);
  expect(await readAll()).toEqual(before);
  // With the trail in order it happens, and leaves that very entry.
  const isRefusal = act === 'session.refused' || act === 'client.refused';
  const again = await perform();
  if (isRefusal) expect(again.status).toBe(401);
  else expect(again.status, JSON.stringify(again.body)).toBeLessThan(300);
  const newest = service.db.selectFrom('audit_log').select('act').orderBy('seq', 'desc').limit(2);
  expect((await newest.execute()).map((entry) => entry.act)).toContain(act);
});

it('retention removes nothing where its entry cannot be written', async () => {
  const id = await newItem();
  const long = new Date(Date.now() - 90 * 86_400_000);
  await service.db.updateTable('items').set({ created_at: long.toISOString() }).where('item_id', '=', id).execute();
  await call('POST', '/api/v1/retention/rules', { ...rule(), everywhere: true });
  await refuseEntries('retention.remove');
  await service.stop();
  service = await startTestService(settings, { dataDir: folder });
  await call('POST', '/api/v1/retention/runs', {});
  // The view of jobs does not show what a retry carries.
  const jobs = isPostgres() ? 'graphile_worker._private_jobs' : 'jobs';
  const errors = async () => JSON.stringify((await run(`select * from ${jobs}`)).rows);
  await eventually(errors, (text) => text.includes(refusal));
  const item = dataOf<{ images: { url?: string }[]; images_removed_at?: string }>(
    await call('GET', `/api/v1/items/${id}`),
  );
  expect(item.images_removed_at).toBeUndefined();
  expect((await call('GET', item.images[0]?.url ?? '')).status).toBe(200);
  await allowEntries();
});

it('is shown for every kind of act', () => {
  expect([...Object.keys(deeds), 'retention.remove'].sort()).toEqual([...acts].sort());
});
