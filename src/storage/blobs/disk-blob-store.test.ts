import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskBlobStore } from './disk-blob-store.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kensa-blobs-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const bytes = Buffer.from('a picture of a bottle');
const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

describe('blobs on disk', () => {
  it('come back as they were put, under the hash of their content', async () => {
    const blobs = createDiskBlobStore(root);
    const hash = await blobs.put(bytes);
    expect(hash).toBe(hashOf(bytes));
    expect(await blobs.get(hash)).toEqual(bytes);
    expect(await blobs.put(bytes)).toBe(hash);
    const all = [];
    for await (const blob of blobs.list()) all.push(blob.hash);
    expect(all).toEqual([hash]);
  });

  it('are never read damaged, and mended where they are put again', async () => {
    const blobs = createDiskBlobStore(root);
    const hash = await blobs.put(bytes);
    const path = join(root, hash.slice(0, 2), hash);
    const flipped = await readFile(path);
    flipped[3] = (flipped[3] ?? 0) ^ 1;
    await writeFile(path, flipped);
    await expect(blobs.get(hash)).rejects.toMatchObject({ code: 'storage-damaged' });
    await blobs.put(bytes);
    expect(await blobs.get(hash)).toEqual(bytes);
  });

  it('that are missing say so', async () => {
    const blobs = createDiskBlobStore(root);
    await expect(blobs.get('0'.repeat(64))).rejects.toMatchObject({ code: 'storage-damaged' });
    await expect(blobs.openRead('0'.repeat(64))).rejects.toMatchObject({ code: 'storage-damaged' });
    expect(await blobs.has('0'.repeat(64))).toBe(false);
    await blobs.delete('0'.repeat(64));
  });

  it('leave no half file behind', async () => {
    const blobs = createDiskBlobStore(root);
    const hash = await blobs.put(bytes);
    expect(await readdir(join(root, hash.slice(0, 2)))).toEqual([hash]);
  });
});
