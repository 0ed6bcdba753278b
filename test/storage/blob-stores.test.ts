import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '../../src/storage/blobs/blob-store.ts';
import { createDiskBlobStore } from '../../src/storage/blobs/disk-blob-store.ts';
import { createS3BlobStore, parseS3Url } from '../../src/storage/blobs/s3-blob-store.ts';
import { startS3, type TestS3 } from '../support/s3-server.ts';

interface Place {
  readonly blobs: BlobStore;
  flipBit(hash: string): Promise<void>;
  setAge(hash: string, at: Date): Promise<void>;
  close(): Promise<void>;
}

async function openDisk(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'kensa-blobs-'));
  const path = (hash: string): string => join(root, hash.slice(0, 2), hash);
  return {
    blobs: createDiskBlobStore(root),
    flipBit: async (hash) => writeFile(path(hash), flipped(await readFile(path(hash)))),
    setAge: (hash, at) => utimes(path(hash), at, at),
    close: () => rm(root, { recursive: true, force: true }),
  };
}

async function openS3(): Promise<Place> {
  const s3 = await startS3();
  const object = (hash: string) => {
    const found = s3.objects.get(`${hash.slice(0, 2)}/${hash}`);
    if (!found) throw new Error('no such object');
    return found;
  };
  return {
    blobs: createS3BlobStore(parseS3Url(s3.url)),
    flipBit: async (hash) => {
      object(hash).bytes = flipped(object(hash).bytes);
    },
    setAge: async (hash, at) => {
      object(hash).modifiedAt = at;
    },
    close: () => s3.stop(),
  };
}

const flipped = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, index) => (index === 3 ? byte ^ 1 : byte)));
const bytes = Buffer.from('a picture of a bottle');
const missing = '0'.repeat(64);

describe.each([
  ['disk', openDisk],
  ['S3', openS3],
])('blobs on %s', (_name, open) => {
  let place: Place;
  beforeEach(async () => {
    place = await open();
  });
  afterEach(() => place.close());
  const listed = async (): Promise<string[]> => {
    const all = [];
    for await (const blob of place.blobs.list()) all.push(blob.hash);
    return all.sort();
  };

  it('come back as they were put, under the hash of their content', async () => {
    const { blobs } = place;
    const hash = await blobs.put(bytes);
    expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await blobs.get(hash)).toEqual(bytes);
    expect(await blobs.has(hash)).toBe(true);
    expect(await blobs.put(bytes)).toBe(hash);
    expect(await listed()).toEqual([hash]);
    expect(await buffer(await blobs.openRead(hash))).toEqual(bytes);
  });

  it('may be empty, or large', async () => {
    for (const content of [Buffer.alloc(0), randomBytes(9_000_001)]) {
      const hash = await place.blobs.put(content);
      expect((await place.blobs.get(hash)).equals(content)).toBe(true);
    }
  });

  it('are listed to the last, with their size and age', async () => {
    const hashes = await Promise.all(
      Array.from({ length: 230 }, (_, index) => place.blobs.put(Buffer.from(`${index}`))),
    );
    expect(await listed()).toEqual([...hashes].sort());
    const hash = hashes[200] ?? '';
    await place.setAge(hash, new Date('2020-01-01'));
    for await (const blob of place.blobs.list()) {
      expect(blob.size).toBeGreaterThan(0);
      expect(blob.modifiedAt < Date.parse('2021-01-01')).toBe(blob.hash === hash);
    }
  });

  it('are young again when they are put again, so that a sweep spares them', async () => {
    const hash = await place.blobs.put(bytes);
    await place.setAge(hash, new Date('2020-01-01'));
    await place.blobs.put(bytes);
    for await (const blob of place.blobs.list()) expect(Date.now() - blob.modifiedAt).toBeLessThan(60_000);
  });

  it('are never read damaged', async () => {
    const hash = await place.blobs.put(bytes);
    await place.flipBit(hash);
    await expect(place.blobs.get(hash)).rejects.toMatchObject({ code: 'storage-damaged' });
  });

  it('that are missing say so', async () => {
    const { blobs } = place;
    await expect(blobs.get(missing)).rejects.toMatchObject({ code: 'storage-damaged' });
    await expect(blobs.openRead(missing)).rejects.toMatchObject({ code: 'storage-damaged' });
    expect(await blobs.has(missing)).toBe(false);
    await blobs.delete(missing);
  });

  it('are gone once deleted', async () => {
    const hash = await place.blobs.put(bytes);
    await place.blobs.delete(hash);
    expect(await place.blobs.has(hash)).toBe(false);
    expect(await listed()).toEqual([]);
  });
});

describe('an S3 server', () => {
  let s3: TestS3;
  beforeEach(async () => {
    s3 = await startS3();
  });
  afterEach(() => s3.stop());

  it('that stumbles is asked again', async () => {
    const blobs = createS3BlobStore(parseS3Url(s3.url));
    s3.failNext(2, 503);
    const hash = await blobs.put(bytes);
    s3.failNext(1, 0);
    expect(await blobs.get(hash)).toEqual(bytes);
  });

  it.each([
    ['a wrong secret', (url: string) => url.replace('secret', 'sacred'), /SignatureDoesNotMatch/],
    ['an unknown key', (url: string) => url.replace('TESTKEY', 'OTHERKEY'), /InvalidAccessKeyId/],
    ['another region', (url: string) => url.replace('test-region', 'elsewhere'), /AuthorizationHeaderMalformed/],
    ['a bucket that is not there', (url: string) => url.replace('/kensa', '/other'), /does not exist/],
  ])('refuses %s, and the error says so without the secret', async (_name, spoil, words) => {
    const error = await createS3BlobStore(parseS3Url(spoil(s3.url)))
      .put(bytes)
      .catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'storage-unavailable', message: expect.stringMatching(words) });
    expect(String(error)).not.toMatch(/secret|sacred/);
    expect(s3.objects.size).toBe(0);
  });

  it('may keep other things beside, under a prefix of ours', async () => {
    s3.objects.set('else/notes.txt', { bytes, modifiedAt: new Date() });
    const blobs = createS3BlobStore(parseS3Url(s3.url.replace('/kensa', '/kensa/line 3')));
    const hash = await blobs.put(bytes);
    expect([...s3.objects.keys()]).toContain(`line 3/${hash.slice(0, 2)}/${hash}`);
    const all = [];
    for await (const blob of blobs.list()) all.push(blob.hash);
    expect(all).toEqual([hash]);
  });
});
