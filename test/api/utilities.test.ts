import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createLog, logDirOf } from '../../src/create-log.ts';
import { makeVendorKeys, signLicense, type VendorKeys } from '../../src/domains/license/license-statement.ts';
import { expectError } from '../support/expect-error.ts';
import { sendForm } from '../support/multipart.ts';
import { readZip } from '../support/rewrite-zip.ts';
import { startTestService, type TestService, testClient } from '../support/test-service.ts';
import { dataOf } from '../support/trained-model.ts';

describe('license', () => {
  let service: TestService;
  let keys: VendorKeys;
  let node: string;

  beforeAll(async () => {
    keys = await makeVendorKeys();
    service = await startTestService({ LICENSE_PUBLIC_KEY: keys.publicKey }, { work: false });
    node = dataOf<{ hash_id: string }>(await service.call('POST', '/api/v1/utils/node_hash')).hash_id;
  });
  afterAll(() => service.stop());

  const install = (text: string) => sendForm(service, '/api/v1/utils/', [{ field: 'license_data', text }]);
  const make = (changes: object = {}) =>
    signLicense(
      {
        customer: 'Works 3',
        expiry: '2099-01-01T00:00:00.000Z',
        node,
        features: ['training', 'prediction'],
        ...changes,
      },
      keys,
    );
  const train = () => service.call('POST', '/api/v1/algorithms/patchcore/train', { body: { item_ids: ['nobody'] } });

  it('is asked for by training and prediction with 403 until a valid one is there', async () => {
    expect(node).toMatch(/^[0-9a-f]{64}$/);
    expectError(await train(), 403);
    const predict = await service.call('POST', '/api/v1/models/active/predict', { body: { item_ids: ['nobody'] } });
    expectError(predict, 403);
    expectError(await install(await make({ expiry: '2020-01-01T00:00:00.000Z' })), 422);
    expectError(await install(await make({ node: 'f'.repeat(64) })), 422);
    const statement = await make();
    const at = statement.length - 20;
    expectError(
      await install(statement.slice(0, at) + (statement[at] === 'A' ? 'B' : 'A') + statement.slice(at + 1)),
      422,
    );
    expectError(await install(''), 422, 'license_data');
    expectError(await train(), 403);
    expect(dataOf(await install(statement))).toEqual({ license_expiry: '2099-01-01T00:00:00.000Z' });
    expectError(await train(), 422, 'item_ids');
  });

  it('may be sent as a file', async () => {
    const file = { name: 'license.txt', bytes: Buffer.from(`${await make({ node: 'any' })}\n`) };
    const answer = await sendForm(service, '/api/v1/utils/', [{ field: 'license_data', file }]);
    expect(dataOf(answer)).toEqual({ license_expiry: '2099-01-01T00:00:00.000Z' });
  });
});

describe('debug logs', () => {
  let service: TestService;
  const licenseKey = 'bm90LWEta2V5LWJ1dC1zZWNyZXQtZW5vdWdo';

  beforeAll(async () => {
    service = await startTestService({ LICENSE_PUBLIC_KEY: licenseKey }, { work: false });
  });
  afterAll(() => service.stop());

  it('is a zip of logs, settings, versions and figures without anything secret', async () => {
    const { log, close } = createLog(loadConfig({ KENSA_DATA_DIR: service.dataDir, KENSA_LOG_LEVEL: 'warn' }), {
      logToFiles: true,
    });
    log.warn({ url: `/api/v1/files/x?expires=1&signature=${'s'.repeat(20)}`, secret: 'hush hush' }, 'a line to keep');
    log.warn(`someone logged Bearer ${service.token}`);
    close();
    expect(await readdir(logDirOf(service.dataDir))).toEqual(['kensa.log']);
    expect(await readFile(join(logDirOf(service.dataDir), 'kensa.log'), 'utf8')).not.toContain('hush hush');
    await service.upload([{ name: 'part.png', bytes: Buffer.from('no image') }], { training: 'false' });
    const answer = await service.call('POST', '/api/v1/utils/debug');
    expect(answer.headers['content-type']).toBe('application/octet-stream');
    const members = await readZip(answer.bytes);
    expect(members.map((member) => member.name).sort()).toEqual([
      'database.json',
      'logs/kensa.log',
      'queue.json',
      'settings.json',
      'versions.json',
    ]);
    const text = members.map((member) => member.bytes.toString('utf8')).join('\n');
    expect(text).toContain('a line to keep');
    expect(text).toContain('"KENSA_WORKERS": 1');
    expect(text).toContain('"predict"');
    const rows = await service.db.selectFrom('settings').select('value').execute();
    const hashes = await service.db.selectFrom('clients').select('secret_hash').execute();
    const secrets = [
      ...[testClient.secret, service.token, licenseKey, 'hush hush', 's'.repeat(20), 'eyJ', 'whsec_', 'argon2id'],
      ...rows.map((row) => row.value),
      ...hashes.map((row) => row.secret_hash),
    ];
    for (const secret of secrets) expect(text.includes(secret), secret).toBe(false);
  });
});

describe('languages', () => {
  it('answers errors in Japanese where the caller prefers it, with the same body and keys', async () => {
    const service = await startTestService({}, { work: false });
    const ask = (language: string) =>
      service.call('GET', '/api/v1/models/nobody', { headers: { 'accept-language': language } });
    const english = expectError(await ask('en-US,en;q=0.9,ja;q=0.5'), 404);
    const japanese = expectError(await ask('ja,en-US;q=0.7'), 404);
    expect(english.title).toBe('No match for model_id!');
    expect(japanese.title).toBe('model_id が見つかりません');
    expect(japanese.detail).toContain('モデル nobody は存在しません');
    expect(japanese).toMatchObject({ code: 'model-not-found', values: { ids: 'nobody' } });
    expect({ ...japanese, title: '', detail: '' }).toEqual({ ...english, title: '', detail: '' });
    const unknown = await service.call('GET', '/nowhere', { headers: { 'accept-language': 'ja-JP' } });
    expect(expectError(unknown, 404).title).toBe('パスが見つかりません');
    await service.stop();
  });
});
