import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** SHA-256 of what is in a file: the same for copies of a photo, whatever their names. */
export async function fileDigest(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
