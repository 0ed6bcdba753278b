import { randomUUID } from 'node:crypto';
import { ConfigError } from '../config.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Db } from './database.ts';
import { createSettingsStore } from './settings.store.ts';
import { blobStoreKey } from './sweep.ts';

/**
 * Makes sure that all processes on a shared database use one blob store. The first process puts a marker into its store
 * and notes the marker's hash in the database; the store of every other process must hold it.
 * @throws ConfigError where it does not.
 */
export async function checkBlobStore(db: Db, blobs: BlobStore): Promise<void> {
  const settings = createSettingsStore(db);
  let marker = await settings.findSetting(blobStoreKey);
  if (marker === undefined && (await holdsImages(db, blobs))) {
    const own = await blobs.put(Buffer.from(`blob store ${randomUUID()}`));
    marker = await settings.keepSetting(blobStoreKey, own);
  }
  if (marker !== undefined && (await blobs.has(marker))) return;
  throw new ConfigError(
    'The database of DATABASE_URL belongs to another blob store than this process has: other processes keep their ' +
      'images and models elsewhere. Set BLOB_URL to the same bucket for every server and worker. ' +
      'To move images from a data folder into a bucket, stop all of them and run "kensa migrate-data".',
  );
}

/** Whether the images of the newest items are in this store; true where there are no items. */
async function holdsImages(db: Db, blobs: BlobStore): Promise<boolean> {
  const images = db
    .selectFrom('item_images')
    .innerJoin('items', 'items.item_id', 'item_images.item_id')
    .select('blob')
    .where('images_removed_at', 'is', null)
    .orderBy('item_images.item_id', 'desc')
    .limit(20);
  const found = await Promise.all((await images.execute()).map(({ blob }) => blobs.has(blob)));
  return found.length === 0 || found.includes(true);
}
