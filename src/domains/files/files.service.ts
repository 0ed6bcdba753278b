import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { HeatmapStore } from './heatmap.store.ts';
import type { RemovedImageStore } from './removed-image.store.ts';
import type { SignedUrls } from './signed-urls.ts';

export interface FileContent {
  readonly body: Buffer | Readable;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
}

export type FilesService = ReturnType<typeof createFilesService>;

type Make = () => Promise<Uint8Array | undefined>;

const contentTypes: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  bmp: 'image/bmp',
};
const thumbnailPixels = 320;

export function createFilesService(dependencies: {
  blobs: BlobStore;
  heatmaps: HeatmapStore;
  removed: RemovedImageStore;
  urls: SignedUrls;
  /** The name of each file in it begins with its source: an image's hash or a heatmap's id. */
  cacheDir: string;
  makeThumbnail: (image: Uint8Array, size: number) => Promise<Uint8Array>;
  /** The whole image as WebP without loss. */
  makeView: (image: Uint8Array) => Promise<Uint8Array>;
  /** JPEG of the image under its anomaly map. */
  drawHeatmap: (image: Uint8Array, anomalyMap: Uint8Array) => Promise<Uint8Array>;
  /** Grey PNG of the anomaly map of an image of this size. */
  drawMap: (parts: { anomalyMap: Uint8Array; width: number; height: number }) => Promise<Uint8Array>;
}) {
  const { blobs, heatmaps, removed, urls, cacheDir } = dependencies;
  /** Files that are being made, by path. */
  const underWay = new Map<string, Promise<Uint8Array | undefined>>();

  const makeAndKeep = async (path: string, make: Make): Promise<Uint8Array | undefined> => {
    const made = await make();
    // A cache that cannot be written, on a full disk for example, costs time and no picture.
    if (made) await keep(path, made).catch(() => {});
    return made;
  };

  /** Made once, then streamed from the cache; undefined where there is nothing to make it from. */
  const openCached = async (id: string, kind: string, make: Make): Promise<FileContent | undefined> => {
    const contentType = contentTypes[kind.split('.')[1] ?? ''] ?? '';
    const path = join(cacheDir, id.slice(0, 2), `${id}-${kind}`);
    const kept = await openKept(path);
    if (kept) return { ...kept, contentType };
    const making = underWay.get(path) ?? makeAndKeep(path, make).finally(() => underWay.delete(path));
    underWay.set(path, making);
    const made = await making;
    return made && wholeFile(made, contentType);
  };

  const openFile = async (variant: string, hash: string, format: string): Promise<FileContent | undefined> => {
    const ofBlob = (render: (image: Uint8Array) => Promise<Uint8Array>) => async () =>
      (await blobs.has(hash)) ? render(await blobs.get(hash)) : undefined;
    if (variant === 'thumbnail') {
      const shrink = ofBlob((image) => dependencies.makeThumbnail(image, thumbnailPixels));
      const thumbnail = await openCached(hash, `${thumbnailPixels}.webp`, shrink);
      if (thumbnail) return thumbnail;
      const kept = await removed.findThumbnail(hash);
      return kept && wholeFile(kept, 'image/webp');
    }
    // Browsers show no TIFF.
    if (variant === 'image' && format === 'tiff') return openCached(hash, 'view.webp', ofBlob(dependencies.makeView));
    if (variant === 'anomaly-map') {
      return openCached(hash, 'map.png', async () => {
        const found = await heatmaps.findParts(hash);
        if (!found) return undefined;
        const { anomalyMap, width, height } = found;
        return dependencies.drawMap({ anomalyMap, width, height });
      });
    }
    if (variant === 'heatmap') {
      const drawn = await openCached(hash, 'heatmap.jpeg', async () => {
        const found = await heatmaps.findParts(hash);
        return found && dependencies.drawHeatmap(await blobs.get(found.image), found.anomalyMap);
      });
      if (drawn) return drawn;
      // Earlier versions drew it with the verdict.
    }
    if (!(await blobs.has(hash))) return undefined;
    return wholeFile(await blobs.get(hash), contentTypes[format] ?? 'application/octet-stream');
  };

  return {
    /** @throws AppError `signature-invalid` unless the link is one of ours and still valid. */
    async open(variant: string, file: string, expires: string, signature: string): Promise<FileContent> {
      if (!urls.verify(variant, file, expires, signature)) throw new AppError('signature-invalid');
      const [hash = '', format = ''] = file.split('.');
      const content = await openFile(variant, hash, format);
      if (content) return content;
      const removedAt = await removed.findRemovalTime(hash);
      if (removedAt !== undefined) throw new AppError('file-removed', { date: removedAt.slice(0, 10) });
      throw new AppError('file-not-found', { name: file });
    },
  };
}

async function keep(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, bytes, { mode: 0o600 });
  await rename(temporary, path);
}

/** The file piece by piece; undefined where it cannot be read, or is empty since a power cut took what was written. */
async function openKept(path: string): Promise<Pick<FileContent, 'body' | 'size'> | undefined> {
  const file = await open(path).catch(() => undefined);
  const size = (await file?.stat().catch(() => undefined))?.size;
  if (file && size) return { body: file.createReadStream(), size };
  await file?.close();
  return undefined;
}

function wholeFile(bytes: Uint8Array, contentType: string): FileContent {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { body, size: body.length, contentType };
}
