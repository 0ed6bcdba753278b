/** Numbers of TIFF tags (TIFF 6.0, section 8). */
export const TIFF = { compression: 259, maxSampleValue: 281, tileWidth: 322, sampleFormat: 339, sMaxSampleValue: 341 };

const SHORT = 3;
const LONG = 4;

/** The first value of each tag of whole numbers in a TIFF file's first directory. A damaged directory gives fewer. */
export function readTiffTags(bytes: Uint8Array): Map<number, number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const tags = new Map<number, number>();
  if (bytes.length < 8) return tags;
  const start = view.getUint32(4, little);
  if (start + 2 > bytes.length) return tags;
  const count = view.getUint16(start, little);
  for (let at = start + 2; at < start + 2 + 12 * count && at + 12 <= bytes.length; at += 12) {
    const type = view.getUint16(at + 2, little);
    if (type !== SHORT && type !== LONG) continue;
    const length = view.getUint32(at + 4, little) * (type === SHORT ? 2 : 4);
    const valueAt = length <= 4 ? at + 8 : view.getUint32(at + 8, little);
    if (valueAt + 4 > bytes.length) continue;
    const value = type === SHORT ? view.getUint16(valueAt, little) : view.getUint32(valueAt, little);
    tags.set(view.getUint16(at, little), value);
  }
  return tags;
}
