import sharp from 'sharp';
import { makeVendorKeys, signLicense } from '../../src/domains/license/license-statement.ts';
import { startCallbackReceiver } from '../support/callback-receiver.ts';
import { sendForm } from '../support/multipart.ts';
import { settingsFor, startProvider } from '../support/sign-in-provider.ts';
import { startCamera } from '../support/simulated-camera.ts';
import { type Answer, startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

export interface Exchange {
  readonly method: string;
  /** As the OpenAPI document writes it. */
  readonly template: string;
  readonly path: string;
  /** What was sent, in words where it was a form. */
  readonly sent: unknown;
  readonly answer: Answer;
}

/** Asks every operation once, in the order in which a line would, and keeps what was sent and answered. */
export async function walkThroughApi(): Promise<{ exchanges: Exchange[]; served: Record<string, unknown> }> {
  const keys = await makeVendorKeys();
  const provider = await startProvider({});
  const service = await startTestService({
    ...settingsFor(provider.issuer),
    LICENSE_PUBLIC_KEY: keys.publicKey,
    KENSA_FTP_PORT: '0',
  });
  const receiver = await startCallbackReceiver();
  const exchanges: Exchange[] = [];
  const ask: Ask = async (method, template, path, body, headers) => {
    const answer = await service.call(method, path, { ...(body === undefined ? {} : { body }), ...(headers ?? {}) });
    exchanges.push({ method, template, path, sent: body, answer });
    return answer;
  };
  const form = async (template: string, path: string, parts: Parameters<typeof sendForm>[2]): Promise<Answer> => {
    const answer = await sendForm(service, path, parts);
    const sent = Object.fromEntries(parts.map(({ field, text, file }) => [field, file ? `<${file.name}>` : text]));
    exchanges.push({ method: 'POST', template, path, sent: { form: sent }, answer });
    return answer;
  };
  try {
    const login = { client_id: 'tester', client_secret: 'a secret of the tests', grant_type: 'client_credentials' };
    await ask('POST', '/api/auth/token', '/api/auth/token', login);
    const node = await ask('POST', '/api/v1/utils/node_hash', '/api/v1/utils/node_hash');
    const license = await signLicense(
      {
        customer: 'Works 3',
        expiry: '2099-01-01T00:00:00.000Z',
        node: dataOf<{ hash_id: string }>(node).hash_id,
        features: ['training', 'prediction'],
      },
      keys,
    );
    await form('/api/v1/utils/', '/api/v1/utils/', [{ field: 'license_data', text: license }]);
    await askTargets(ask);
    const trained = await trainSmallModel(service);
    await askItems(ask, form, trained.itemIds);
    await askModels(ask, form, trained, receiver.url);
    await askStations(service, ask, form, trained.modelId);
    await askRetention(ask, trained.itemIds);
    await askPeople(ask);
    const status = ['/healthz', '/readyz', '/api/v1/status', '/api/v1/overview'];
    for (const path of status) await ask('GET', path, path);
    await ask('POST', '/api/v1/utils/debug', '/api/v1/utils/debug');
    return { exchanges, served: (await service.call('GET', '/openapi.json')).body };
  } finally {
    await service.stop();
    await receiver.close();
    await provider.stop();
  }
}

type Ask = (
  method: string,
  template: string,
  path: string,
  body?: unknown,
  headers?: { token: null; headers: Record<string, string> },
) => Promise<Answer>;
type Form = (template: string, path: string, parts: Parameters<typeof sendForm>[2]) => Promise<Answer>;

async function askPeople(ask: Ask): Promise<void> {
  const user = '/api/v1/users';
  const made = await ask('POST', user, user, { name: 'Ada', role: 'inspector', password: 'Nine lives, one cap' });
  const { user_id: userId } = dataOf<{ user_id: string }>(made);
  await ask('PUT', `${user}/{user_id}`, `${user}/${userId}`, { role: 'engineer' });
  await ask('GET', user, user);
  const session = '/api/v1/session';
  const page = { 'x-requested-with': 'kensa' };
  const password = 'Nine lives, one cap';
  const signIn = (word = password) =>
    ask('POST', session, session, { name: 'Ada', password: word }, { token: null, headers: page });
  const cookie = String((await signIn()).headers['set-cookie']).split(';', 1)[0] ?? '';
  const signedIn = { token: null, headers: { ...page, cookie } };
  await ask('GET', session, session, undefined, signedIn);
  const change = { current: password, password: 'Ten lives, one cap' };
  await ask('PUT', `${session}/password`, `${session}/password`, change, signedIn);
  const again = String((await signIn(change.password)).headers['set-cookie']).split(';', 1)[0] ?? '';
  const asPerson = { token: null, headers: { ...page, cookie: again } };
  const terminal = await ask('PUT', `${session}/terminal`, `${session}/terminal`, { name: 'Cell 4' }, asPerson);
  const terminalCookie = String(terminal.headers['set-cookie']).split(';', 1)[0] ?? '';
  await ask('PUT', `${user}/{user_id}`, `${user}/${userId}`, { role: 'inspector' });
  await ask('PUT', `${session}/pin`, `${session}/pin`, { pin: '4826' }, asPerson);
  const atTerminal = { token: null, headers: { ...page, cookie: terminalCookie } };
  await ask('POST', `${session}/pin`, `${session}/pin`, { user_id: userId, pin: '4826' }, atTerminal);
  await ask('PUT', `${user}/{user_id}`, `${user}/${userId}`, { role: 'engineer' });
  const terminals = await ask('GET', '/api/v1/terminals', '/api/v1/terminals');
  const [{ terminal_id: terminalId } = { terminal_id: '' }] = dataOf<{ terminal_id: string }[]>(terminals);
  await ask('DELETE', `${session}/terminal`, `${session}/terminal`, undefined, asPerson);
  await ask('DELETE', session, session, undefined, asPerson);
  await ask('DELETE', '/api/v1/terminals/{terminal_id}', `/api/v1/terminals/${terminalId}`);
  await ask('GET', `${session}/sso`, `${session}/sso?return_to=/models`, undefined, { token: null, headers: {} });
  await ask('PUT', '/api/v1/audit/reasons', '/api/v1/audit/reasons', { acts: ['model.delete'] });
  await ask('GET', '/api/v1/audit/reasons', '/api/v1/audit/reasons');
  await ask('PUT', '/api/v1/audit/reasons', '/api/v1/audit/reasons', { acts: [] });
  await ask('GET', '/api/v1/audit', '/api/v1/audit?act=user.change&count=1');
  await ask('GET', '/api/v1/audit/export', '/api/v1/audit/export?act=user.change');
  await ask('POST', '/api/v1/audit/verify', '/api/v1/audit/verify');
  const client = '/api/v1/clients';
  const added = await ask('POST', client, client, { name: 'Camera 3', scope: 'inspector' });
  const path = `${client}/${dataOf<{ client_id: string }>(added).client_id}`;
  await ask('PUT', `${client}/{client_id}`, path, { scope: 'viewer' });
  await ask('POST', `${client}/{client_id}/secret`, `${path}/secret`);
  await ask('GET', client, client);
  await ask('DELETE', `${client}/{client_id}`, path);
}

async function askTargets(ask: Ask): Promise<void> {
  const preprocessing = [{ name: 'crop', config: '{"x":5,"y":5,"width":90,"height":90}' }];
  const made = await ask('POST', '/api/v1/targets/', '/api/v1/targets/', { name: 'caps', preprocessing });
  const path = `/api/v1/targets/${dataOf<{ target_id: number }>(made).target_id}`;
  await ask('GET', '/api/v1/targets/', '/api/v1/targets/');
  await ask('GET', '/api/v1/targets/{target_id}', path);
  await ask('PUT', '/api/v1/targets/{target_id}', path, { name: 'bottle caps' });
  await ask('POST', '/api/v1/targets/{target_id}', '/api/v1/targets/1');
  await ask('GET', '/api/v1/targets/steps', '/api/v1/targets/steps');
  await ask('DELETE', '/api/v1/targets/{target_id}', path);
  await ask('GET', '/api/v1/algorithms/', '/api/v1/algorithms/');
  await ask('GET', '/api/v1/algorithms/{algorithm_id}', '/api/v1/algorithms/patchcore');
  await ask('PUT', '/api/v1/labels', '/api/v1/labels', { labels: [{ label: 1, name: 'scratch' }] });
  await ask('GET', '/api/v1/labels', '/api/v1/labels');
}

async function askItems(ask: Ask, form: Form, trainingIds: readonly string[]): Promise<void> {
  const file = { name: 'cap-0042.png', bytes: await stripes(9) };
  const added = await form('/api/v1/items/', '/api/v1/items/', [
    { field: 'training', text: 'false' },
    { field: 'files', file },
  ]);
  const [itemId] = dataOf<{ item_ids: string[] }>(added).item_ids;
  await ask('GET', '/api/v1/items/', '/api/v1/items/?item_type=prediction&count=1');
  const region = { x_min: 10, x_max: 30, y_min: 12, y_max: 20, label: 1, notes: 'at the rim' };
  await ask('PATCH', '/api/v1/items/{item_id}', `/api/v1/items/${itemId}`, { annotations: [region] });
  await ask('POST', '/api/v1/items/assess', '/api/v1/items/assess', { item_ids: [itemId], good: true });
  await ask('PUT', '/api/v1/items/verdicts', '/api/v1/items/verdicts', {
    verdicts: [{ item_id: itemId, good: true, annotations: [] }],
  });
  const link = await ask('GET', '/api/v1/items/{item_id}', `/api/v1/items/${itemId}`);
  const [image] = dataOf<{ images: { url: string }[] }>(link).images;
  const nearest = '/api/v1/items/{item_id}/nearest-good';
  await ask('GET', nearest, `/api/v1/items/${itemId}/nearest-good?model_id=active&x=40&y=60`);
  await ask('GET', '/api/v1/files/{variant}/{file}', image?.url ?? '');
  await ask('POST', '/api/v1/targets/{target_id}/preview', '/api/v1/targets/1/preview', { item_id: itemId });
  await ask('DELETE', '/api/v1/items/', '/api/v1/items/', { item_ids: [itemId] });
  const order = { item_ids: trainingIds };
  await ask('POST', '/api/v1/algorithms/{algorithm_id}/readiness', '/api/v1/algorithms/patchcore/readiness', order);
}

async function askStations(service: TestService, ask: Ask, form: Form, modelId: string): Promise<void> {
  const settings = { name: 'caps, end of line', name_pattern: '(?<lot>L\\d+)_(?<serial>\\d+)' };
  const made = await ask('POST', '/api/v1/stations/', '/api/v1/stations/', settings);
  const tried = { source: { kind: 'http' }, name_pattern: '(?<serial>\\d+)', file_name: 'L7_0042.png' };
  await ask('POST', '/api/v1/stations/test', '/api/v1/stations/test', tried);
  const station = '/api/v1/stations/{station_id}';
  const path = `/api/v1/stations/${dataOf<{ station_id: string }>(made).station_id}`;
  await ask('PUT', `${station}/model`, `${path}/model`, { model_id: modelId });
  await ask('PUT', station, path, { name: 'caps, line 2' });
  const file = { name: 'L7_0042.png', bytes: await stripes(9) };
  await form(`${station}/inspect`, `${path}/inspect?timeout_ms=30000`, [{ field: 'files', file }]);
  const product = [
    { field: 'files', file },
    { field: 'serial', text: '0043' },
    { field: 'fields', text: '{"shift":"2"}' },
  ];
  await form('/api/v1/models/{model_id}/inspect', '/api/v1/models/active/inspect?timeout_ms=30000', product);
  await ask('GET', station, path);
  await ask('GET', `${station}/deliveries`, `${path}/deliveries`);
  await ask('GET', '/api/v1/stations/', '/api/v1/stations/');
  await ask('PUT', station, path, { source: { kind: 'ftp' } });
  await ask('POST', `${station}/ftp_login`, `${path}/ftp_login`);
  const camera = await startCamera(
    await sharp(await stripes(9))
      .jpeg()
      .toBuffer(),
  );
  const source = { kind: 'camera', url: camera.url };
  await service.call('PUT', path, { body: { source } });
  const isReady = ({ body }: Answer): boolean => JSON.stringify(body).includes('"ready":true');
  await eventually(() => service.call('GET', path), isReady);
  await ask('GET', `${station}/preview`, `${path}/preview`);
  await ask('POST', `${station}/trigger`, `${path}/trigger?timeout_ms=30000`, { serial: '0044' });
  await camera.close();
  await ask('DELETE', station, path);
}

async function askRetention(ask: Ask, itemIds: readonly string[]): Promise<void> {
  const rules = '/api/v1/retention/rules';
  const image_days = { OK: 30, NG: 365, unjudged: 90 };
  const rule = { name: 'all stations', everywhere: true, image_days, record_days: 730, when_short: ['OK', 'unjudged'] };
  await ask('POST', '/api/v1/retention/preview', '/api/v1/retention/preview', { rule });
  const made = await ask('POST', rules, rules, rule);
  const path = `${rules}/${dataOf<{ retention_id: string }>(made).retention_id}`;
  await ask('GET', rules, rules);
  await ask('GET', `${rules}/{retention_id}`, path);
  await ask('PUT', `${rules}/{retention_id}`, path, { keep_thumbnails: false });
  await ask('PUT', '/api/v1/retention/', '/api/v1/retention/', {
    capacity_bytes: 2_000_000_000_000,
    min_free_percent: 10,
  });
  await ask('GET', '/api/v1/retention/', '/api/v1/retention/');
  const holds = '/api/v1/retention/holds';
  const held = await ask('POST', holds, holds, { reason: 'complaint 4711', item_ids: itemIds.slice(0, 1) });
  await ask('GET', holds, holds);
  await ask('DELETE', `${holds}/{hold_id}`, `${holds}/${dataOf<{ hold_id: string }>(held).hold_id}`);
  await ask('POST', '/api/v1/retention/runs', '/api/v1/retention/runs');
  const runs = () => ask('GET', '/api/v1/retention/runs', '/api/v1/retention/runs?count=1');
  await eventually(runs, (answer) => dataOf<{ runs: { status: string }[] }>(answer).runs[0]?.status === 'done');
  await ask('DELETE', `${rules}/{retention_id}`, path);
}

async function askModels(
  ask: Ask,
  form: Form,
  { modelId, itemIds }: { modelId: string; itemIds: string[] },
  callbackUrl: string,
): Promise<void> {
  const model = '/api/v1/models/{model_id}';
  const path = `/api/v1/models/${modelId}`;
  await ask('GET', '/api/v1/models/', '/api/v1/models/?algorithm_id=patchcore');
  await ask('GET', model, path);
  const parameters = { threshold: 0.5, ignore_outer: '2%', min_detected_area: 4 };
  await ask('POST', `${model}/update_predict_parameters`, `${path}/update_predict_parameters`, parameters);
  const callback = { callback_url: callbackUrl, callback_method: 'post' };
  await ask('POST', `${model}/update_predict_callback`, `${path}/update_predict_callback`, callback);
  await ask('POST', `${model}/callbacks/test`, `${path}/callbacks/test`);
  await ask('POST', `${model}/activate`, `${path}/activate`);
  await ask('POST', `${model}/predict`, '/api/v1/models/active/predict', { item_ids: itemIds.slice(0, 1) });
  const overview = () => ask('GET', `${model}/callbacks`, `${path}/callbacks?count=1`);
  await eventually(overview, (answer) => dataOf<{ delivered: number }>(answer).delivered === 1);
  await ask('GET', `${model}/scores`, `${path}/scores`);
  await ask('GET', `${model}/training-items`, `${path}/training-items?count=2`);
  await ask('GET', `${model}/events`, `${path}/events`);
  await ask('POST', '/api/v1/targets/model/results', `/api/v1/targets/model/results?model_ids=${modelId}`);
  const zip = await ask('POST', '/api/v1/models/export', '/api/v1/models/export', { model_ids: [modelId] });
  const file = { name: 'kensa-models.zip', bytes: zip.bytes };
  await form('/api/v1/models/import', '/api/v1/models/import', [{ field: 'models', file }]);
  const refined = await ask('POST', `${model}/refine`, `${path}/refine`, { item_ids: itemIds.slice(0, 1) });
  const { model_id: refinedId } = dataOf<{ model_id: string }>(refined);
  // It may have started by the time that the answer is written.
  Object.assign(dataOf<object>(refined), { status: 'queued', status_text: 'Waiting for its turn.' });
  await ask('POST', `${model}/cancel`, `/api/v1/models/${refinedId}/cancel`);
  const train = { name: 'caps', item_ids: itemIds, override_params: [] };
  const template = '/api/v1/algorithms/{algorithm_id}/train';
  const queued = await ask('POST', template, '/api/v1/algorithms/patchcore/train', train);
  const { model_id: newId } = dataOf<{ model_id: string }>(queued);
  Object.assign(dataOf<object>(queued), { status: 'queued', status_text: 'Waiting for its turn.' });
  await ask('POST', `${model}/cancel`, `/api/v1/models/${newId}/cancel`);
  await ask('DELETE', '/api/v1/models/', `/api/v1/models/?model_ids=${newId}&model_ids=${refinedId}`);
}
