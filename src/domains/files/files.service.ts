import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { SignedUrls } from './signed-urls.ts';

export interface FileContent {
  readonly bytes: Buffer;
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

export function createFilesService(parts: {
  blobs: BlobStore;
  urls: SignedUrls;
  cacheDir: string;
  makeThumbnail: (image: Uint8Array, size: number) => Promise<Uint8Array>;
  /** The whole image as WebP without loss. */
  makeView: (image: Uint8Array) => Promise<Uint8Array>;
}): FilesService {
  const { blobs, urls, cacheDir } = parts;

  const cached = async (hash: string, kind: string, make: (image: Uint8Array) => Promise<Uint8Array>) => {
    const path = join(cacheDir, hash.slice(0, 2), `${hash}-${kind}.webp`);
    const kept = await readFile(path).catch(() => undefined);
    if (kept) return { bytes: kept, contentType: 'image/webp' };
    const made = Buffer.from(await make(await blobs.get(hash)));
    await mkdir(join(cacheDir, hash.slice(0, 2)), { recursive: true });
    const temporary = `${path}.${randomUUID()}`;
    await writeFile(temporary, made);
    await rename(temporary, path);
    return { bytes: made, contentType: 'image/webp' };
  };

  return {
    async open(variant, file, expires, signature) {
      if (!urls.verify(variant, file, expires, signature)) throw new AppError('signature-invalid');
      const [hash = '', format = ''] = file.split('.');
      if (!(await blobs.has(hash))) throw new AppError('file-not-found', { name: file });
      if (variant === 'thumbnail')
        return cached(hash, String(thumbnailPixels), (image) => parts.makeThumbnail(image, thumbnailPixels));
      // Browsers show no TIFF.
      if (format === 'tiff') return cached(hash, 'view', parts.makeView);
      return { bytes: await blobs.get(hash), contentType: contentTypes[format] ?? 'application/octet-stream' };
    },
  };
}
