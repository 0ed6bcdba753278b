import { describe, expect, it } from 'vitest';
import { decodeContainer, encodeContainer } from './binary-container.ts';

const MAGIC = 'KENSATST';
const content = {
  header: { name: '検査', list: [1, 2.5] },
  arrays: { a: Float32Array.of(1, -2, 3.5), b: Uint8Array.of(7), c: Float64Array.of(0.1), d: Uint32Array.of(9, 4e9) },
};

describe('binary container', () => {
  it('comes back as it was, also from an unaligned address, and always as the same bytes', () => {
    const bytes = encodeContainer(MAGIC, content);
    expect(decodeContainer(MAGIC, bytes)).toEqual(content);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(decodeContainer(MAGIC, shifted.subarray(3))).toEqual(content);
    expect(encodeContainer(MAGIC, content)).toEqual(bytes);
  });

  it('gives arrays of their own, also from a Buffer at an unaligned address', () => {
    const bytes = encodeContainer(MAGIC, content);
    const pool = Buffer.alloc(bytes.length + 3);
    pool.set(bytes, 3);
    const { arrays } = decodeContainer(MAGIC, pool.subarray(3));
    pool.fill(0xff);
    expect(arrays).toEqual(content.arrays);
  });

  it('refuses another magic, version, cut or changed bytes', () => {
    const bytes = encodeContainer(MAGIC, content);
    expect(() => decodeContainer('KENSAXXX', bytes)).toThrow('does not start with');
    expect(() => decodeContainer(MAGIC, new Uint8Array())).toThrow('does not start with');
    expect(() => decodeContainer(MAGIC, bytes.subarray(0, bytes.length - 1))).toThrow('checksum');
    const changed = Uint8Array.from(bytes);
    changed[bytes.length - 3] = (changed[bytes.length - 3] ?? 0) ^ 1;
    expect(() => decodeContainer(MAGIC, changed)).toThrow('checksum');
    const newer = Uint8Array.from(bytes);
    newer[8] = 9;
    expect(() => decodeContainer(MAGIC, newer)).toThrow('version 9');
  });
});
