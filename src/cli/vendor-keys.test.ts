import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFeatures, readVendorKeys } from './vendor-keys.ts';

describe('keys and features of a license', () => {
  it('come from the file that was written, and from no other', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'kensa-keys-'));
    try {
      const file = join(directory, 'keys.json');
      await writeFile(file, JSON.stringify({ publicKey: 'a', privateKey: 'b' }));
      expect(await readVendorKeys(file)).toEqual({ publicKey: 'a', privateKey: 'b' });
      for (const other of ['no json', '{}', 'null', '{"publicKey":"a"}']) {
        await writeFile(file, other);
        await expect(readVendorKeys(file)).rejects.toThrow(`${file} holds no keys of a vendor`);
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('are those that there are', () => {
    expect(parseFeatures('training, prediction')).toEqual(['training', 'prediction']);
    for (const list of ['', 'flying', 'training,']) expect(() => parseFeatures(list)).toThrow('training,prediction');
  });
});
