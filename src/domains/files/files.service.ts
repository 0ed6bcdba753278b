import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { HeatmapStore } from './heatmap.store.ts';
import type { SignedUrls } from './signed-urls.ts';

export interface FileContent {
  readonly body: Buffer | Readable;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
}

export interface FilesService {
  /** @throws AppError `signature-invalid` unless the link is one of ours and still valid. */
  open(variant: string, file: string, expires: string, signature: string): Promise<FileContent>;
}

const contentTypes: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  bmp: 'image/bmp',
};
const thumbnailPixels = 320;

async function keep(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, bytes, { mode: 0o600 });
  await rename(temporary, path);
}

/** The file piece by piece; undefined where it can't be read, or is empty since a power cut took what had been written. */
async function openKept(path: string): Promise<Pick<FileContent, 'body' | 'size'> | undefined> {
  const file = await open(path).catch(() => undefined);
  const size = await file?.stat().then(
    (stats) => stats.size,
    () => 0,
  );
  if (file && size) return { body: file.createReadStream(), size };
  await file?.close();
  return undefined;
}

function wholeFile(bytes: Uint8Array): Pick<FileContent, 'body' | 'size'> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { body, size: body.length };
}

export function createFilesService(parts: {
  blobs: BlobStore;
  heatmaps: HeatmapStore;
  urls: SignedUrls;
  /** Its files begin with what they were made from: a photo's hash or a heatmap's id. */
  cacheDir: string;
  makeThumbnail: (image: Uint8Array, size: number) => Promise<Uint8Array>;
  /** The whole image as WebP without loss. */
  makeView: (image: Uint8Array) => Promise<Uint8Array>;
  /** JPEG of the image under its anomaly map. */
  drawHeatmap: (image: Uint8Array, anomalyMap: Uint8Array) => Promise<Uint8Array>;
}): FilesService {
  const { blobs, heatmaps, urls, cacheDir } = parts;

  const underWay = new Map<string, Promise<Uint8Array | undefined>>();

  /** However many ask for it meanwhile. */
  const makeOnce = (path: string, make: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> => {
    const known = underWay.get(path);
    if (known) return known;
    const making = make()
      .then(async (made) => {
        // A cache that cannot be written, on a full disk say, costs time and no picture.
        if (made) await keep(path, made).catch(() => {});
        return made;
      })
      .finally(() => underWay.delete(path));
    underWay.set(path, making);
    return making;
  };

  /** Made once, then streamed from the cache; undefined where there is nothing to make it from. */
  const cached = async (
    id: string,
    kind: `${string}.${'webp' | 'jpeg'}`,
    make: () => Promise<Uint8Array | undefined>,
  ): Promise<FileContent | undefined> => {
    const contentType = kind.endsWith('webp') ? 'image/webp' : 'image/jpeg';
    const path = join(cacheDir, id.slice(0, 2), `${id}-${kind}`);
    const kept = await openKept(path);
    if (kept) return { ...kept, contentType };
    const made = await makeOnce(path, make);
    return made && { ...wholeFile(made), contentType };
  };

  const openHeatmap = async (id: string): Promise<FileContent | undefined> => {
    const drawn = await cached(id, 'heatmap.jpeg', async () => {
      const found = await heatmaps.findParts(id);
      return found && parts.drawHeatmap(await blobs.get(found.photo), found.anomalyMap);
    });
    // Earlier releases drew it with the verdict.
    return drawn ?? openBlob(id, 'jpeg');
  };

  const openBlob = async (hash: string, format: string): Promise<FileContent | undefined> => {
    if (!(await blobs.has(hash))) return undefined;
    return { ...wholeFile(await blobs.get(hash)), contentType: contentTypes[format] ?? 'application/octet-stream' };
  };

  const openFile = async (variant: string, hash: string, format: string): Promise<FileContent | undefined> => {
    if (variant === 'heatmap') return openHeatmap(hash);
    const make = async (render: (image: Uint8Array) => Promise<Uint8Array>) =>
      (await blobs.has(hash)) ? render(await blobs.get(hash)) : undefined;
    if (variant === 'thumbnail')
      return cached(hash, `${thumbnailPixels}.webp`, () =>
        make((image) => parts.makeThumbnail(image, thumbnailPixels)),
      );
    // Browsers show no TIFF.
    if (format === 'tiff') return cached(hash, 'view.webp', () => make(parts.makeView));
    return openBlob(hash, format);
  };

  return {
    async open(variant, file, expires, signature) {
      if (!urls.verify(variant, file, expires, signature)) throw new AppError('signature-invalid');
      const [hash = '', format = ''] = file.split('.');
      const content = await openFile(variant, hash, format);
      if (!content) throw new AppError('file-not-found', { name: file });
      return content;
    },
  };
}
