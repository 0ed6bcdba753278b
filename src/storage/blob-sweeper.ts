import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobHash, BlobStore, StoredBlob } from './blobs/blob-store.ts';
import { chunks } from './chunks.ts';
import type { Db } from './database.ts';

/** Blobs younger than this may belong to a transaction that has not committed yet. */
const youngMs = 3_600_000;
const batchSize = 400;

/** Deletes blobs that no row refers to. @returns how many. */
export async function sweepBlobs(db: Db, blobs: BlobStore, now: number): Promise<number> {
  let deleted = 0;
  let batch: StoredBlob[] = [];
  const sweep = async (): Promise<void> => {
    const old = batch.filter((blob) => now - blob.modifiedAt > youngMs).map((blob) => blob.hash);
    batch = [];
    const used = await findReferenced(db, old);
    for (const hash of old.filter((candidate) => !used.has(candidate))) {
      await blobs.delete(hash);
      deleted++;
    }
  };
  for await (const blob of blobs.list()) {
    batch.push(blob);
    if (batch.length >= batchSize) await sweep();
  }
  await sweep();
  return deleted;
}

/**
 * Deletes what was made from blobs and score layers that no row refers to any more; anybody may empty the folder meanwhile.
 * @returns how many files.
 */
export async function sweepCache(db: Db, cacheDir: string): Promise<number> {
  let deleted = 0;
  for (const folder of await readdir(cacheDir).catch(() => [])) {
    const names = await readdir(join(cacheDir, folder)).catch(() => []);
    for (const batch of chunks(names)) {
      const madeFrom = (name: string): BlobHash => name.slice(0, name.indexOf('-'));
      const used = await findReferenced(db, [...new Set(batch.map(madeFrom))]);
      for (const name of batch.filter((candidate) => !used.has(madeFrom(candidate)))) {
        await rm(join(cacheDir, folder, name), { force: true });
        deleted++;
      }
    }
  }
  return deleted;
}

async function findReferenced(db: Db, hashes: readonly BlobHash[]): Promise<Set<BlobHash>> {
  if (hashes.length === 0) return new Set();
  const images = await db
    .selectFrom('item_images')
    .select('blob')
    .where('blob', 'in', [...hashes])
    .execute();
  // Of earlier releases a blob, of this one what is drawn from a score layer.
  const heatmaps = await db
    .selectFrom('assessment_images')
    .select('heatmap_id as blob')
    .where('heatmap_id', 'in', [...hashes])
    .execute();
  const models = await db
    .selectFrom('models')
    .select(['image_blob', 'model_blob', 'backbone_blob', 'step_references'])
    .execute();
  const targets = await db.selectFrom('targets').select('step_references').execute();
  return new Set(
    [
      ...[...images, ...heatmaps].map((row) => row.blob),
      ...models.flatMap((model) => [model.image_blob, model.model_blob, model.backbone_blob]),
      ...[...models, ...targets].flatMap((row) =>
        Object.values(JSON.parse(row.step_references) as Record<string, string>),
      ),
    ].filter((hash) => hash !== null),
  );
}
