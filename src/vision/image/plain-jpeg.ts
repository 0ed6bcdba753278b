import { MAX_IMAGE_PIXELS } from './image-limits.ts';

interface Component {
  readonly id: number;
  readonly quantization: number;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: readonly Component[];
}

/** What the segments before the scan have said so far. */
interface Header {
  readonly quantization: Set<number>;
  /** Class · 16 + number, as the file has them. */
  readonly huffman: Set<number>;
  frame?: Frame;
  restarts: boolean;
}

/** Bytes. Looking through more would hold up the server. */
const LONGEST = 8 * 1024 * 1024;
const COMMENTS = new Set([0xe0, 0xfe]);
const [START_OF_FRAME, HUFFMAN, QUANTIZATION, RESTART_INTERVAL, START_OF_SCAN] = [0xc0, 0xc4, 0xdb, 0xdd, 0xda];
const END_OF_IMAGE = 0xd9;

/** What a baseline JPEG says of itself before its one scan. */
export interface PlainJpeg {
  readonly width: number;
  readonly height: number;
  /** Grey, or red, green and blue. */
  readonly channels: 1 | 3;
  /** Offset of the scan's data, and whether it may hold restart marks. */
  readonly scan: number;
  readonly restarts: boolean;
}

/**
 * The header of a baseline JPEG as cameras write it: one scan, and every table there that it needs. Undefined for all
 * others, also for JPEGs with more than the plain segments (EXIF turns them, profiles change their colours).
 */
export function readPlainJpeg(bytes: Uint8Array): PlainJpeg | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const header: Header = { quantization: new Set(), huffman: new Set(), restarts: false };
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const length = (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
    const segment = bytes.subarray(at + 4, at + 2 + length);
    if (length < 2 || segment.length !== length - 2) return undefined;
    at += 2 + length;
    if (marker === START_OF_SCAN) {
      const { frame, restarts } = header;
      if (!frame || !isPlainScan(segment, frame, header)) return undefined;
      const { width, height, components } = frame;
      return { width, height, channels: components.length === 1 ? 1 : 3, scan: at, restarts };
    }
    if (!COMMENTS.has(marker) && !readSegment(marker, segment, header)) return undefined;
  }
  return undefined;
}

/**
 * Size of a baseline JPEG ({@link readPlainJpeg}) that is whole from start to end mark: any decoder reads such a file to its
 * end, so that it needs no decoding to be known as an image. Undefined for all others: those are for the decoder to judge.
 */
export function findPlainJpeg(bytes: Uint8Array): { format: 'jpeg'; width: number; height: number } | undefined {
  const header = bytes.length > LONGEST ? undefined : readPlainJpeg(bytes);
  if (!header || !endsInMark(bytes, header.scan, header.restarts)) return undefined;
  return { format: 'jpeg', width: header.width, height: header.height };
}

function readSegment(marker: number, segment: Uint8Array, header: Header): boolean {
  if (marker === QUANTIZATION) return readQuantization(segment, header.quantization);
  if (marker === HUFFMAN) return readHuffman(segment, header.huffman);
  if (marker === RESTART_INTERVAL) {
    header.restarts = true;
    return segment.length === 2;
  }
  const frame = marker === START_OF_FRAME && !header.frame ? parseFrame(segment) : undefined;
  if (frame) header.frame = frame;
  return frame !== undefined;
}

/** Tables of 64 bytes, each behind its number. */
function readQuantization(segment: Uint8Array, tables: Set<number>): boolean {
  for (let at = 0; at < segment.length; at += 65) {
    const number = segment[at] ?? 0;
    const table = segment.subarray(at + 1, at + 65);
    // A number over 3 has 16-bit values, or does not exist; a value of 0 is none.
    if (number > 3 || table.length !== 64 || table.includes(0)) return false;
    tables.add(number);
  }
  return true;
}

/** How many codes there are of each length, then what they stand for. */
function readHuffman(segment: Uint8Array, tables: Set<number>): boolean {
  for (let at = 0; at < segment.length; ) {
    const [kind = 0, ...counts] = segment.subarray(at, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const symbols = segment.subarray(at + 17, at + 17 + total);
    const isNumbered = kind >> 4 <= 1 && (kind & 15) <= 3;
    if (!isNumbered || counts.length !== 16 || total > 256 || symbols.length !== total) return false;
    if (!isPrefixCode(counts) || (kind < 16 && symbols.some((symbol) => symbol > 11))) return false;
    tables.add(kind);
    at += 17 + total;
  }
  return true;
}

function isPrefixCode(counts: readonly number[]): boolean {
  let free = 1;
  for (const count of counts) {
    free = free * 2 - count;
    // The code of ones alone is never given.
    if (free < 1) return false;
  }
  return true;
}

function parseFrame(segment: Uint8Array): Frame | undefined {
  const [precision, high = 0, low = 0, wide = 0, narrow = 0, count = 0] = segment;
  const [height, width] = [high * 256 + low, wide * 256 + narrow];
  const isSized = width > 0 && height > 0 && width * height <= MAX_IMAGE_PIXELS;
  if (precision !== 8 || !isSized || (count !== 1 && count !== 3) || segment.length !== 6 + 3 * count) return undefined;
  const components: Component[] = [];
  for (let at = 6; at < segment.length; at += 3) {
    const [id = 0, sampling = 0, quantization = 0] = segment.subarray(at, at + 3);
    const isUsual = [0x11, 0x12, 0x21, 0x22].includes(sampling) && (at === 6 || sampling === 0x11);
    if (!isUsual || components.some((other) => other.id === id)) return undefined;
    components.push({ id, quantization });
  }
  return { width, height, components };
}

/** One scan of all components, with all the tables that they name. */
function isPlainScan(segment: Uint8Array, { components }: Frame, { quantization, huffman }: Header): boolean {
  const count = components.length;
  if (segment[0] !== count || segment.length !== 4 + 2 * count) return false;
  const [from, to, approximation] = segment.subarray(1 + 2 * count);
  if (from !== 0 || to !== 63 || approximation !== 0) return false;
  return components.every((component, index) => {
    const [id, tables = 0] = segment.subarray(1 + 2 * index, 3 + 2 * index);
    const hasTables = huffman.has(tables >> 4) && huffman.has(16 + (tables & 15));
    return id === component.id && hasTables && quantization.has(component.quantization);
  });
}

/** Whether the scan's data runs up to the mark of the image's end, with no other mark in it. */
function endsInMark(bytes: Uint8Array, start: number, restarts: boolean): boolean {
  for (let at = bytes.indexOf(0xff, start); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next === END_OF_IMAGE) return true;
    const isRestart = restarts && next >= 0xd0 && next <= 0xd7;
    if (next !== 0 && !isRestart) return false;
  }
  return false;
}
