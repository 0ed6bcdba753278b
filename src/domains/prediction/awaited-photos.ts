import type { BlobHash } from '../../storage/blobs/blob-store.ts';

/**
 * Photos that were sent to be judged at once, from their upload until the engine takes them: they need not be read and
 * checked again, nor fetched from S3. Those that find no room are read like any other; the oldest make room.
 */
export class AwaitedPhotos {
  readonly #maxBytes: number;
  readonly #photos = new Map<BlobHash, Uint8Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  keep(blob: BlobHash, photo: Uint8Array): void {
    this.take(blob);
    if (photo.length > this.#maxBytes) return;
    this.#photos.set(blob, photo);
    this.#bytes += photo.length;
    for (const oldest of this.#photos.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.take(oldest);
    }
  }

  /** The photo where it is still here, and then no longer. */
  take(blob: BlobHash): Uint8Array | undefined {
    const photo = this.#photos.get(blob);
    if (this.#photos.delete(blob)) this.#bytes -= photo?.length ?? 0;
    return photo;
  }
}
