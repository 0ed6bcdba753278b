import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BlobHash, BlobStore } from './blobs/blob-store.ts';
import { chunks } from './chunks.ts';
import type { Db } from './database.ts';

/** Younger blobs may belong to a transaction that has not committed yet. */
export const YOUNG_MS = 3_600_000;
/** Longer than any upload or import takes. */
const ABANDONED_MS = 86_400_000;
/** Blobs that are looked up and deleted at a time. */
const BATCH = 400;

/** The setting that holds the hash of the blob store's marker, see `check-blob-store.ts`. */
export const blobStoreKey = 'blob_store';

/** Deletes those of the blobs that no row refers to. */
export async function deleteUnused(db: Db, blobs: BlobStore, hashes: readonly BlobHash[], now: number): Promise<void> {
  for (const part of chunks(hashes)) {
    const used = await findReferenced(db, part);
    for (const hash of part) if (!used.has(hash)) await blobs.deleteUntouched(hash, now - YOUNG_MS);
  }
}

/** Deletes blobs that no row refers to. */
export async function sweepBlobs(db: Db, blobs: BlobStore, now: number): Promise<void> {
  let old: BlobHash[] = [];
  const sweep = async (): Promise<void> => {
    await deleteUnused(db, blobs, old, now);
    old = [];
  };
  for await (const { hash, modifiedAt } of blobs.list()) {
    if (now - modifiedAt > YOUNG_MS) old.push(hash);
    if (old.length === BATCH) await sweep();
  }
  await sweep();
}

/** Deletes cached files made from blobs and anomaly maps that no row refers to. Users may empty the folder at any time. */
export async function sweepCache(db: Db, cacheDir: string): Promise<void> {
  const sourceOf = (path: string): BlobHash => basename(path).split('-')[0] ?? '';
  const files = (await listFiles(cacheDir)).filter((path) => path.includes('-', cacheDir.length));
  for (const batch of chunks(files)) {
    const used = await findReferenced(db, batch.map(sourceOf));
    for (const path of batch) if (!used.has(sourceOf(path))) await rm(path, { force: true });
  }
}

/** Deletes the files of writes and imports that a killed process left unfinished, at any depth of the folders. */
export async function sweepTemporaryFiles(folders: readonly string[], now: number): Promise<void> {
  const files = (await Promise.all(folders.map(listFiles))).flat();
  for (const path of files.filter((file) => /\.(part|upload)$/.test(file))) {
    // A file that is gone by now was finished.
    const modifiedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (now - modifiedAt > ABANDONED_MS) await rm(path, { force: true });
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  return names.map((name) => join(folder, name));
}

async function findReferenced(db: Db, hashes: readonly BlobHash[]): Promise<Set<BlobHash | null>> {
  if (hashes.length === 0) return new Set();
  const images = db
    .selectFrom('item_images')
    .innerJoin('items', 'items.item_id', 'item_images.item_id')
    .select('blob')
    .where('blob', 'in', hashes)
    .where('images_removed_at', 'is', null);
  // In rows of earlier releases a heatmap is a blob; in those of this one it is drawn from an anomaly map.
  const heatmaps = db.selectFrom('assessment_images').select('heatmap_id as blob').where('heatmap_id', 'in', hashes);
  const models = await db
    .selectFrom('models')
    .select(['image_blob', 'model_blob', 'backbone_blob', 'step_references'])
    .execute();
  const targets = await db.selectFrom('targets').select('step_references').execute();
  const marker = await db.selectFrom('settings').select('value').where('key', '=', blobStoreKey).execute();
  return new Set([
    ...marker.map(({ value }) => value),
    ...[...(await images.execute()), ...(await heatmaps.execute())].map(({ blob }) => blob),
    ...models.flatMap((model) => [model.image_blob, model.model_blob, model.backbone_blob]),
    ...[...models, ...targets].flatMap((row) =>
      Object.values(JSON.parse(row.step_references) as Record<string, string>),
    ),
  ]);
}
