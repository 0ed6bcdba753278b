import type { Readable } from 'node:stream';

/** SHA-256 of the content, lower-case hexadecimal. */
export type BlobHash = string;

export interface StoredBlob {
  readonly hash: BlobHash;
  /** Milliseconds since 1970 of the last `put`. */
  readonly modifiedAt: number;
  readonly size: number;
}

/** Bytes by their content's hash. Once `put` resolves they survive a power cut; `get` never returns damaged bytes. */
export interface BlobStore {
  put(bytes: Uint8Array): Promise<BlobHash>;
  /** @throws AppError `storage-damaged` where the blob is missing or its bytes changed. */
  get(hash: BlobHash): Promise<Buffer>;
  has(hash: BlobHash): Promise<boolean>;
  /** No error where it is not there. */
  delete(hash: BlobHash): Promise<void>;
  /** Deletes it unless a `put` of it runs, or ended at or after this moment (milliseconds since 1970). */
  deleteUntouched(hash: BlobHash, since: number): Promise<void>;
  /** All blobs, in no order: for sweeping, checking and moving. */
  list(): AsyncIterable<StoredBlob>;
  openRead(hash: BlobHash): Promise<Readable>;
}
