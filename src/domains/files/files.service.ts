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
  tiff: 'image/tiff',
  bmp: 'image/bmp',
};
// Formats that browsers do not show are shown converted.
const thumbnailPixels = 320;

export function createFilesService(parts: {
  blobs: BlobStore;
  urls: SignedUrls;
  cacheDir: string;
  makeThumbnail: (image: Uint8Array, size: number) => Promise<Uint8Array>;
}): FilesService {
  const { blobs, urls, cacheDir } = parts;

  const thumbnail = async (hash: string): Promise<Buffer> => {
    const path = join(cacheDir, hash.slice(0, 2), `${hash}-${thumbnailPixels}.webp`);
    const cached = await readFile(path).catch(() => undefined);
    if (cached) return cached;
    const made = Buffer.from(await parts.makeThumbnail(await blobs.get(hash), thumbnailPixels));
    await mkdir(join(cacheDir, hash.slice(0, 2)), { recursive: true });
    const temporary = `${path}.${randomUUID()}`;
    await writeFile(temporary, made);
    await rename(temporary, path);
    return made;
  };

  return {
    async open(variant, file, expires, signature) {
      if (!urls.verify(variant, file, expires, signature)) throw new AppError('signature-invalid');
      const [hash = '', format = ''] = file.split('.');
      if (!(await blobs.has(hash))) throw new AppError('file-not-found', { name: file });
      if (variant === 'thumbnail') return { bytes: await thumbnail(hash), contentType: 'image/webp' };
      return { bytes: await blobs.get(hash), contentType: contentTypes[format] ?? 'application/octet-stream' };
    },
  };
}
