import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newItem } from '../../../test/support/rows.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { textureImage } from '../../../test/support/texture-images.ts';
import type { SentVerdict } from '../../jobs/compute/messages.ts';
import { renderAnomalyMap, renderHeatmap, renderThumbnail } from '../../jobs/compute/render-image.ts';
import { createDiskBlobStore } from '../../storage/blobs/disk-blob-store.ts';
import { sweepCache } from '../../storage/sweep.ts';
import { encodeAnomalyMap } from '../../vision/anomaly-map/anomaly-map.ts';
import { createItemStore } from '../items/item.store.ts';
import { assessItem, replaceAssessment } from '../prediction/assessment.store.ts';
import { createFilesService, type FileContent } from './files.service.ts';
import { createHeatmapStore } from './heatmap.store.ts';
import { createRemovedImageStore } from './removed-image.store.ts';
import { createSignedUrls } from './signed-urls.ts';

const SIDE = 96;
const anomalyMap = { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE).fill(200) };
const verdict: SentVerdict = {
  ...{ width: SIDE, height: SIDE, rawScore: 2, anomalyScore: 0.6, result: 'NG', label: null, regions: [] },
  ...{ detectionAccuracy: 90, anomalyMap: encodeAnomalyMap(anomalyMap) },
};

describe('a heatmap', () => {
  let database: Awaited<ReturnType<typeof openTemporaryDatabase>>;
  let cacheDir: string;
  let part: Uint8Array;
  let drawn = 0;
  let failing = false;
  let open: (variant: 'heatmap' | 'thumbnail', id: string) => Promise<FileContent & { readonly bytes: Buffer }>;
  let heatmapId: string;

  beforeAll(async () => {
    database = await openTemporaryDatabase();
    const { db, dataDir } = database;
    cacheDir = join(dataDir, 'cache');
    part = await textureImage(1, { size: SIDE });
    const blobs = createDiskBlobStore(join(dataDir, 'blobs'));
    const blob = await blobs.put(part);
    const urls = createSignedUrls({ secret: Buffer.from('secret'), origin: '', now: Date.now });
    const files = createFilesService({
      ...{ blobs, urls, cacheDir, heatmaps: createHeatmapStore(db), makeThumbnail: renderThumbnail },
      removed: createRemovedImageStore(db),
      makeView: async () => Buffer.of(),
      drawMap: (parts) => renderAnomalyMap({ kind: 'anomaly-map', ...parts }),
      drawHeatmap: async (image, scores) => {
        if (failing) throw new Error('the process that draws has ended');
        drawn++;
        return renderHeatmap({ kind: 'heatmap', image, anomalyMap: scores });
      },
    });
    open = async (variant, id) => {
      const { pathname, searchParams } = new URL(urls.sign(variant, id, 'jpeg'), 'http://kensa');
      const [expires, signature] = [searchParams.get('expires') ?? '', searchParams.get('signature') ?? ''];
      const content = await files.open(variant, pathname.split('/').at(-1) ?? '', expires, signature);
      const bytes = Buffer.isBuffer(content.body) ? content.body : await buffer(content.body);
      expect(content.size).toBe(bytes.length);
      return { ...content, bytes };
    };
    const image = { position: 0, blob, verdict, durationMs: 1 };
    const ids = { itemId: 'i', modelId: 'm' };
    const rows = assessItem(ids, [image], String, { threshold: 0.5, predictedAt: 'now' });
    heatmapId = rows.images[0]?.heatmap_id ?? '';
    const file = { name: 'i.png', format: 'png', width: SIDE, height: SIDE, file_size: part.length };
    await db.transaction().execute(async (trx) => {
      const items = createItemStore(db);
      await items.insertItems(trx, [newItem('i', { training: false })], [{ item_id: 'i', position: 0, blob, ...file }]);
      await replaceAssessment(trx, rows.assessment, rows.images);
    });
    await open('thumbnail', blob);
  });
  afterAll(() => database.close());

  it('is drawn when it is first looked at, and the same when the cache was emptied', async () => {
    const first = await open('heatmap', heatmapId);
    expect(first.contentType).toBe('image/jpeg');
    const bytes = await renderHeatmap({ kind: 'heatmap', image: part, anomalyMap: verdict.anomalyMap });
    expect(Buffer.compare(first.bytes, bytes)).toBe(0);
    const again = await open('heatmap', heatmapId);
    expect(again.bytes).toEqual(first.bytes);
    expect(again.body).toBeInstanceOf(Readable);
    expect(drawn).toBe(1);
    await rm(join(cacheDir, heatmapId.slice(0, 2)), { recursive: true });
    expect((await open('heatmap', heatmapId)).bytes).toEqual(first.bytes);
    expect(drawn).toBe(2);
  });

  it('is drawn once, however many look at it meanwhile', async () => {
    await rm(join(cacheDir, heatmapId.slice(0, 2)), { recursive: true });
    const before = drawn;
    const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => open('heatmap', heatmapId)));
    expect(drawn).toBe(before + 1);
    for (const other of others) expect(other.bytes).toEqual(first?.bytes);
  });

  it('that cannot be drawn is tried again by the next who looks', async () => {
    await rm(join(cacheDir, heatmapId.slice(0, 2)), { recursive: true });
    failing = true;
    const asked = await Promise.allSettled([open('heatmap', heatmapId), open('heatmap', heatmapId)]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failing = false;
    expect((await open('heatmap', heatmapId)).bytes.length).toBeGreaterThan(0);
  });

  it('is drawn again where a power cut left an empty file of it', async () => {
    const { bytes } = await open('heatmap', heatmapId);
    const [file = ''] = await readdir(join(cacheDir, heatmapId.slice(0, 2)));
    await writeFile(join(cacheDir, heatmapId.slice(0, 2), file), '');
    expect((await open('heatmap', heatmapId)).bytes).toEqual(bytes);
    expect((await open('heatmap', heatmapId)).body).toBeInstanceOf(Readable);
  });

  it('is shown where the cache cannot be written', async () => {
    const folder = join(cacheDir, heatmapId.slice(0, 2));
    const before = await open('heatmap', heatmapId);
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way of a folder');
    expect((await open('heatmap', heatmapId)).bytes).toEqual(before.bytes);
    await rm(folder);
    expect((await open('heatmap', heatmapId)).bytes).toEqual(before.bytes);
  });

  it('that an earlier release drew is shown as it was', async () => {
    const { dataDir } = database;
    const earlier = await createDiskBlobStore(join(dataDir, 'blobs')).put(Buffer.from('drawn before'));
    await expect(open('heatmap', 'ab'.repeat(32))).rejects.toMatchObject({ code: 'file-not-found' });
    expect((await open('heatmap', earlier)).bytes.toString()).toBe('drawn before');
  });

  it('and a thumbnail leave the cache with their item', async () => {
    const { db } = database;
    const cached = async () => (await readdir(cacheDir, { recursive: true })).filter((name) => name.includes('-'));
    await sweepCache(db, cacheDir);
    expect(await cached()).toHaveLength(2);
    await db.transaction().execute((trx) => createItemStore(db).deleteItems(trx, ['i']));
    await sweepCache(db, cacheDir);
    expect(await cached()).toEqual([]);
    await expect(open('heatmap', heatmapId)).rejects.toMatchObject({ code: 'file-not-found' });
  });
});
