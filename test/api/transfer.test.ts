import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { sendForm } from '../support/multipart.ts';
import { readZip, writeZip, type ZipMember } from '../support/rewrite-zip.ts';
import { type Answer, startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface ManifestBody {
  format_version: number;
  files: Record<string, { sha256: string; size: number }>;
  models: { model_id: string; file: string; golden: { file: string; anomaly_score: string }[] }[];
}

let service: TestService;
let other: TestService;
let modelId: string;
let zip: Buffer;
let members: ZipMember[];

const importZip = (into: TestService, bytes: Uint8Array): Promise<Answer> =>
  sendForm(into, '/api/v1/models/import', [{ field: 'models', file: { name: 'models.zip', bytes } }]);

const manifestOf = (list: readonly ZipMember[]): ManifestBody =>
  JSON.parse(list.find((member) => member.name === 'manifest.json')?.bytes.toString('utf8') ?? '');

/** The export with its manifest changed; `files` are added or put in the place of others. */
function rewrite(change: (manifest: ManifestBody) => void, files: readonly ZipMember[] = []): Promise<Buffer> {
  const manifest = manifestOf(members);
  change(manifest);
  const kept = members.filter(({ name }) => name !== 'manifest.json' && files.every((file) => file.name !== name));
  return writeZip([{ name: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest)) }, ...kept, ...files]);
}

/** Swaps a name for one of the same length in both places of a zip file where names are written. */
function renameInside(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
}

/** Writes another size into the entry of the first file. */
function claimSize(bytes: Buffer, size: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt32LE(size, changed.indexOf(Buffer.from('PK\u0001\u0002')) + 24);
  return changed;
}

/** A zip that lists so many empty files, and holds none of them. */
function listOnly(count: number): Buffer {
  const entries = Array.from({ length: count }, (_, index) => {
    const name = Buffer.from(String(index));
    const head = Buffer.alloc(46);
    head.write('PK\u0001\u0002');
    head.writeUInt16LE(name.length, 28);
    return Buffer.concat([head, name]);
  });
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(list.length, 12);
  return Buffer.concat([list, end]);
}

beforeAll(async () => {
  service = await startTestService();
  other = await startTestService();
  ({ modelId } = await trainSmallModel(service));
  const answer = await service.call('POST', '/api/v1/models/export', { body: { model_ids: [modelId] } });
  expect(answer.status).toBe(200);
  zip = answer.bytes;
  members = await readZip(zip);
});
afterAll(async () => {
  await service.stop();
  await other.stop();
});

async function predictOn(where: TestService, id: string): Promise<string> {
  const bytes = await stripes(40);
  const uploaded = await where.upload([{ name: 'unseen.png', bytes }], { training: 'false', model_id: id });
  const [itemId] = dataOf<{ item_ids: string[] }>(uploaded).item_ids;
  const item = await eventually(
    async () =>
      dataOf<{ status: string; assessments: { anomaly_score: string }[] }>(
        await where.call('GET', `/api/v1/items/${itemId}`),
      ),
    ({ status }) => status === 'done' || status === 'failed',
  );
  return item.assessments[0]?.anomaly_score ?? item.status;
}

describe('export', () => {
  it('holds a manifest with the SHA-256 of every file, and golden images with their scores', () => {
    const manifest = manifestOf(members);
    expect(Object.keys(manifest.files).sort()).toEqual(
      members
        .map((member) => member.name)
        .filter((name) => name !== 'manifest.json')
        .sort(),
    );
    for (const { name, bytes } of members.filter((member) => member.name !== 'manifest.json')) {
      expect(manifest.files[name]?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
    expect(manifest.models[0]?.golden.length).toBeGreaterThan(1);
    for (const golden of manifest.models[0]?.golden ?? []) expect(golden.anomaly_score).toMatch(/^0\.\d{6}$/);
  });

  it('refuses models that do not exist, and an empty list', async () => {
    const ask = (model_ids: string[]) => service.call('POST', '/api/v1/models/export', { body: { model_ids } });
    expectError(await ask([modelId, 'nobody']), 404, 'nobody');
    expectError(await ask([]), 422, 'model_ids');
  });
});

describe('import', () => {
  it('takes a model over with its id, ready and not active, and gives the same bytes of score', async () => {
    const [model] = dataOf<Record<string, unknown>[]>(await importZip(other, zip));
    expect(model).toMatchObject({
      model_id: modelId,
      name: 'stripes',
      status: 'ready',
      active: false,
      ok_img_count: 4,
    });
    expect(await predictOn(other, modelId)).toBe(await predictOn(service, modelId));
  });

  it('gives a model a new id where its own is taken', async () => {
    const [copy] = dataOf<{ model_id: string; version: string }[]>(await importZip(service, zip));
    expect(copy?.model_id).not.toBe(modelId);
    expect(copy?.version).toBe('2');
    expect(await predictOn(service, copy?.model_id ?? '')).toBe(await predictOn(service, modelId));
  });

  const golden = () => manifestOf(members).models[0]?.golden[0]?.file ?? '';
  const changedFile = (name: string): ZipMember => {
    const bytes = Buffer.from(members.find((member) => member.name === name)?.bytes ?? '');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    return { name, bytes };
  };
  it.each<[string, RegExp, () => Promise<Buffer> | Buffer]>([
    ['a file that is no zip', /not a zip file/, () => Buffer.from('this is no zip file at all, not even nearly one')],
    ['an empty zip', /empty/, () => writeZip([])],
    [
      'a zip of something else',
      /manifest.json is missing/,
      () => writeZip([{ name: 'a.txt', bytes: Buffer.from('a') }]),
    ],
    ['a truncated zip', /not a zip file|damaged/, () => zip.subarray(0, zip.length - 200)],
    ['names that lead out of it', /unsafe/, () => renameInside(zip, golden(), `../../${golden().slice(6)}`)],
    ['absolute names', /unsafe/, () => renameInside(zip, golden(), `/${golden().slice(1)}`)],
    ['a changed file', /SHA-256/, () => rewrite(() => undefined, [changedFile(golden())])],
    ['a missing file', /missing/, () => writeZip(members.filter((member) => member.name !== golden()))],
    [
      'a file that is not listed',
      /not in its manifest/,
      () => writeZip([...members, { name: 'x', bytes: Buffer.from('x') }]),
    ],
    ['a file twice', /twice/, () => writeZip([...members, ...members.slice(-1)])],
    [
      'an unknown version',
      /format version is 2/,
      () =>
        rewrite((manifest) => {
          manifest.format_version = 2;
        }),
    ],
    [
      'a field that is not known',
      /not valid/,
      () =>
        rewrite((manifest) => {
          Object.assign(manifest, { more: 1 });
        }),
    ],
    [
      'no model',
      /not valid/,
      () =>
        rewrite((manifest) => {
          manifest.models = [];
        }),
    ],
    [
      'a golden score that differs',
      /scores an image/,
      () =>
        rewrite((manifest) => {
          Object.assign(manifest.models[0]?.golden[0] ?? {}, { anomaly_score: '0.123456' });
        }),
    ],
    ['too many files', /more than 20,?000|20,?000/, () => listOnly(20_001)],
    ['a file that says it is too large', /1,?024/, () => claimSize(zip, 1025 * 1024 * 1024)],
    [
      'a zip bomb',
      /200 times its size/,
      () => writeZip([...members, { name: 'bomb', bytes: Buffer.alloc(64 * 1024 * 1024) }]),
    ],
  ])('refuses %s and changes nothing', async (_what, reason, make) => {
    const before = await other.db.selectFrom('models').selectAll().orderBy('seq').execute();
    const error = expectError(await importZip(other, await make()), 422, 'models');
    expect(error.title).toBe('Import refused');
    expect(error.detail).toMatch(reason);
    expect(await other.db.selectFrom('models').selectAll().orderBy('seq').execute()).toEqual(before);
    // Nothing is unpacked to the disk, and the zip itself is gone.
    const written = await readdir(other.dataDir, { recursive: true });
    expect(written.filter((path) => !/^(blobs|cache|logs|uploads$|kensa\.db|lock\.db)/.test(path))).toEqual([]);
  });

  it('refuses a damaged model even where its hashes fit', async () => {
    const file = manifestOf(members).models[0]?.file ?? '';
    const { bytes } = changedFile(file);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const damaged = await rewrite(
      (manifest) => {
        delete manifest.files[file];
        manifest.files[`files/${hash}`] = { sha256: hash, size: bytes.length };
        Object.assign(manifest.models[0] ?? {}, { file: `files/${hash}` });
      },
      [{ name: `files/${hash}`, bytes }],
    );
    const cleaned = await writeZip((await readZip(damaged)).filter((member) => member.name !== file));
    expect(expectError(await importZip(other, cleaned), 422, 'models').detail).toMatch(/model "stripes"/);
  });

  it('refuses a form without the file, and another field', async () => {
    expectError(await sendForm(other, '/api/v1/models/import', []), 422, 'models');
    const wrong = { field: 'model', file: { name: 'a.zip', bytes: zip } };
    expectError(await sendForm(other, '/api/v1/models/import', [wrong]), 422, 'model');
  });
});
