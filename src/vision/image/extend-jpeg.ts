const START_OF_FRAME = new Set([0xc0, 0xc1]);
const START_OF_SCAN = 0xda;
/** Rows that the library decodes at a time, and rows of a block. */
const ROWS = 8;
/** The decoder's limit. */
const HIGHEST = 65_500;

interface JpegCopy {
  readonly bytes: Uint8Array;
  readonly height: number;
}

/**
 * A copy of a JPEG that claims one row of blocks more than it has. The library checks for a damaged scan before each
 * eight rows, but not after the last ones. In the copy, the rows of the image are never the last ones.
 *
 * Undefined where it is not needed: the library reads the scans of other JPEGs (progressive, or with colours at half
 * the height and more than eight rows) ahead of the rows that it gives.
 * @returns the copy, whose first rows decode as those of the file
 */
export function extendJpeg(bytes: Uint8Array): JpegCopy | undefined {
  let frame: { readonly at: number; readonly components: number } | undefined;
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!;
    // Fill bytes may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (START_OF_FRAME.has(marker)) frame = { at, components: bytes[at + 9]! };
    if (marker === START_OF_SCAN)
      return frame && bytes[at + 4] === frame.components ? withMoreRows(bytes, frame) : undefined;
    at += 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
  }
  return undefined;
}

function withMoreRows(bytes: Uint8Array, frame: { at: number; components: number }): JpegCopy | undefined {
  const height = bytes[frame.at + 5]! * 256 + bytes[frame.at + 6]!;
  const extended = Math.ceil(height / ROWS) * ROWS + ROWS;
  if (extended > HIGHEST) return undefined;
  const copy = new Uint8Array(bytes);
  const samplingAt = frame.at + 11;
  // A single component has no subsampling, whatever its sampling factors are.
  if (frame.components === 1) copy[samplingAt] = 0x11;
  for (let component = 0; component < frame.components; component++)
    if ((copy[samplingAt + 3 * component]! & 15) !== 1) return undefined;
  copy[frame.at + 5] = extended >> 8;
  copy[frame.at + 6] = extended & 255;
  return { bytes: copy, height: extended };
}
