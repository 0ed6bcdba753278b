import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage, openImage, probeImage } from '../../src/vision/image/decode-image.ts';
import { reduceImage, sharpImage } from '../../src/vision/image/resize-image.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import type { OwnedImage } from '../../src/vision/types.ts';
import { VisionError } from '../../src/vision/vision-error.ts';
import { type TiffForm, tiffFile } from '../support/tiff-file.ts';

const WIDTH = 96;
const HEIGHT = 64;
const TILE = 16;
const GARBLED = 60;

/** Smooth colours with grain, so that no part of a file says nothing. */
const original = ((): OwnedImage => {
  const random = createRandom(21);
  const data = Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return 20 + (pixel % WIDTH) + Math.floor(pixel / WIDTH) + random.integer(30);
  });
  return { width: WIDTH, height: HEIGHT, data };
})();

const rgb = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
const rowBytes = WIDTH * 3;

const strips = (rows: number, encode: (strip: Uint8Array) => Uint8Array): Uint8Array[] =>
  Array.from({ length: HEIGHT / rows }, (_, index) =>
    encode(original.data.subarray(index * rows * rowBytes, (index + 1) * rows * rowBytes)),
  );

const tiles = (encode: (tile: Uint8Array) => Uint8Array): Uint8Array[] =>
  Array.from({ length: (WIDTH / TILE) * (HEIGHT / TILE) }, (_, index) => {
    const tile = new Uint8Array(TILE * TILE * 3);
    const left = (index % (WIDTH / TILE)) * TILE;
    const top = Math.floor(index / (WIDTH / TILE)) * TILE;
    for (let row = 0; row < TILE; row++) {
      const from = ((top + row) * WIDTH + left) * 3;
      tile.set(original.data.subarray(from, from + TILE * 3), row * TILE * 3);
    }
    return encode(tile);
  });

/** Literal runs only: one run of 96 bytes after the other. */
const packBits = (strip: Uint8Array): Uint8Array =>
  Buffer.concat(
    Array.from({ length: strip.length / WIDTH }, (_, run) =>
      Buffer.concat([Buffer.of(WIDTH - 1), strip.subarray(run * WIDTH, (run + 1) * WIDTH)]),
    ),
  );

const plain = (bytes: Uint8Array): Uint8Array => bytes;
const source = () => sharpImage(original);

const FILES: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['JPEG', () => source().jpeg({ quality: 90 }).toBuffer()],
  ['JPEG without subsampling', () => source().jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer()],
  ['progressive JPEG', () => source().jpeg({ progressive: true }).toBuffer()],
  ['grey JPEG', () => source().toColourspace('b-w').jpeg().toBuffer()],
  ['PNG', () => source().png().toBuffer()],
  ['interlaced PNG', () => source().png({ progressive: true }).toBuffer()],
  ['palette PNG', () => source().png({ palette: true }).toBuffer()],
  ['lossy WebP', () => source().webp().toBuffer()],
  ['lossless WebP', () => source().webp({ lossless: true }).toBuffer()],
  ['TIFF with LZW', () => source().tiff({ compression: 'lzw' }).toBuffer()],
  ['TIFF with JPEG', () => source().tiff({ compression: 'jpeg' }).toBuffer()],
  ['tiled TIFF with LZW', () => source().tiff({ compression: 'lzw', tile: true, tileWidth: 32 }).toBuffer()],
  ['plain TIFF', async () => tiffFile({ ...rgb, parts: strips(8, plain), compression: 1, rowsPerStrip: 8 })],
  [
    'TIFF with deflate',
    async () => tiffFile({ ...rgb, parts: strips(8, deflateSync), compression: 8, rowsPerStrip: 8 }),
  ],
  [
    'TIFF with PackBits',
    async () => tiffFile({ ...rgb, parts: strips(8, packBits), compression: 32773, rowsPerStrip: 8 }),
  ],
  ['tiled TIFF', async () => tiffFile({ ...rgb, parts: tiles(plain), compression: 1, tile: TILE })],
  ['tiled TIFF with deflate', async () => tiffFile({ ...rgb, parts: tiles(deflateSync), compression: 8, tile: TILE })],
];

/** What the library gives when every warning is an error; undefined: it refuses. */
async function strictPixels(bytes: Uint8Array): Promise<Buffer | undefined> {
  try {
    const strict = sharp(bytes, { failOn: 'warning', limitInputPixels: false, pages: 1 });
    return await strict.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer();
  } catch {
    return undefined;
  }
}

const read = (bytes: Uint8Array): Promise<OwnedImage | undefined> =>
  decodeImage(bytes).catch((error: unknown) => {
    expect(error).toBeInstanceOf(VisionError);
    return undefined;
  });

/** Whether each way of reading takes the file: all of it, reduced, and the check of an upload. */
async function accepts(bytes: Uint8Array): Promise<boolean[]> {
  const tries = [
    () => decodeImage(bytes),
    async () => (await openImage(bytes)).reduce(WIDTH / 3, HEIGHT / 4),
    () => probeImage(bytes),
  ];
  return Promise.all(
    tries.map((attempt) =>
      attempt().then(
        () => true,
        () => false,
      ),
    ),
  );
}

describe.each(FILES)('%s', (_, encode) => {
  it('is read whole', async () => {
    expect(Buffer.from((await decodeImage(await encode())).data).equals((await strictPixels(await encode()))!)).toBe(
      true,
    );
  });

  it('is refused when it is cut off, at every hundredth of its length', async () => {
    const whole = await encode();
    for (let hundredth = 1; hundredth < 100; hundredth++) {
      const cut = whole.subarray(0, Math.floor((whole.length * hundredth) / 100));
      expect([hundredth, ...(await accepts(cut))]).toEqual([hundredth, false, false, false]);
    }
  });

  it('is refused when it is garbled, or read as the strict decoder reads it', async () => {
    const whole = await encode();
    const random = createRandom(whole.length);
    for (let round = 0; round < GARBLED; round++) {
      const garbled = Buffer.from(whole);
      const start = round % 2 === 0 ? 0 : Math.floor(whole.length / 3);
      for (let change = 0; change < 3; change++) {
        const at = start + random.integer(whole.length - start);
        garbled[at] = garbled[at]! ^ (1 + random.integer(255));
      }
      const image = await read(garbled);
      if (!image) continue;
      const strict = await strictPixels(garbled);
      expect([round, strict?.equals(image.data)]).toEqual([round, true]);
    }
  });
});

const JPEGS: readonly (readonly [string, (height: number) => Promise<Buffer>])[] = [
  ['4:2:0', (height) => upper(height).jpeg().toBuffer()],
  ['4:4:4', (height) => upper(height).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
  ['grey', (height) => upper(height).toColourspace('b-w').jpeg().toBuffer()],
  ['CMYK', (height) => upper(height).toColourspace('cmyk').jpeg().toBuffer()],
];
const upper = (height: number) => source().extract({ left: 0, top: 0, width: WIDTH, height });

describe.each(JPEGS)('a %s JPEG that lost a part of its scan but not its end mark', (_, encode) => {
  it.each([64, 63, 57, 56, 9])('is refused, with %d rows', async (height) => {
    const whole = await encode(height);
    const scan = whole.lastIndexOf(Buffer.of(0xff, 0xda));
    const start = scan + 2 + whole.readUInt16BE(scan + 2);
    for (let tenth = 0; tenth < 10; tenth++) {
      const kept = start + Math.floor(((whole.length - start - 4) * tenth) / 10);
      const file = Buffer.concat([whole.subarray(0, kept), Buffer.of(0xff, 0xd9)]);
      expect([tenth, ...(await accepts(file))]).toEqual([tenth, false, false, false]);
      await expect(decodeImage(file)).rejects.toMatchObject({ code: 'truncated_image' });
    }
  });

  it.each([64, 63, 57, 56, 50, 49, 48, 9])('has the strict pixels while it is whole, with %d rows', async (height) => {
    const whole = await encode(height);
    const image = await decodeImage(whole);
    expect([image.width, image.height]).toEqual([WIDTH, height]);
    expect(Buffer.from(image.data).equals((await strictPixels(whole))!)).toBe(true);
  });
});

describe('a JPEG without subsampling', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is turned as EXIF orientation %d asks', async (orientation) => {
    const file = await source().withMetadata({ orientation }).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
    const image = await decodeImage(file);
    const { data, info } = await sharp(file).autoOrient().raw().toBuffer({ resolveWithObject: true });
    expect([image.width, image.height]).toEqual([info.width, info.height]);
    expect(data.equals(image.data)).toBe(true);
  });
});

describe('a JPEG as cameras write it', () => {
  it('is read in spite of bytes behind its end and of a broken EXIF', async () => {
    const whole = await source().jpeg().toBuffer();
    const exif = Buffer.from('\xff\xe1\x00\x14Exif\0\0garbagegarba', 'latin1');
    const files = [
      Buffer.concat([whole, Buffer.alloc(300, 7)]),
      Buffer.concat([whole.subarray(0, -2), Buffer.alloc(4), whole.subarray(-2)]),
      Buffer.concat([whole.subarray(0, 2), exif, whole.subarray(2)]),
    ];
    for (const file of files) expect(await accepts(file)).toEqual([true, true, true]);
  });
});

describe('a TIFF that the decoder does not know', () => {
  const samples = (make: (level: number) => number, array: (values: number[]) => ArrayBufferView): Uint8Array => {
    const view = array(Array.from(original.data, make));
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  };
  const whole = (form: Partial<TiffForm>): Buffer => tiffFile({ ...rgb, compression: 1, parts: [], ...form });

  it.each([
    ['Zstandard', whole({ compression: 50000, parts: strips(HEIGHT, plain) }), /ZSTD/],
    ['Zstandard in tiles', whole({ compression: 50000, parts: tiles(plain), tile: TILE }), /ZSTD/],
    ['LZMA', whole({ compression: 34925, parts: strips(HEIGHT, plain) }), /LZMA/],
    [
      'floating point',
      whole({
        bits: 32,
        sampleFormat: 3,
        parts: [
          samples(
            (level) => level / 255,
            (values) => Float32Array.from(values),
          ),
        ],
      }),
      /floating point.*8 or 16 bits/,
    ],
    [
      '32 bits',
      whole({
        bits: 32,
        parts: [
          samples(
            (level) => level * 16843009,
            (values) => Uint32Array.from(values),
          ),
        ],
      }),
      /32 bits.*8 or 16 bits/,
    ],
    [
      'signed samples',
      whole({
        bits: 16,
        sampleFormat: 2,
        parts: [
          samples(
            (level) => level * 128,
            (values) => Int16Array.from(values),
          ),
        ],
      }),
      /signed.*8 or 16 bits/,
    ],
  ] as const)('is refused with the reason: %s', async (_, file, reason) => {
    expect(await accepts(file)).toEqual([false, false, false]);
    await expect(decodeImage(file)).rejects.toThrow(reason);
  });

  it('is not one that only has a tag of its own or an unnamed fourth channel', async () => {
    const parts = strips(HEIGHT, plain);
    expect((await read(whole({ parts, more: [[65000, 3, [1]]] })))?.data).toEqual(original.data);
    const four = original.data.reduce<number[]>((all, level, at) => {
      all.push(level);
      if (at % 3 === 2) all.push(255);
      return all;
    }, []);
    const file = tiffFile({ ...rgb, compression: 1, parts: [Uint8Array.from(four)] });
    for (let field = 0; field < file.readUInt16LE(8); field++)
      if (file.readUInt16LE(10 + 12 * field) === 277) file.writeUInt16LE(4, 10 + 12 * field + 8);
    expect((await read(file))?.data).toEqual(original.data);
  });
});

describe('a 16-bit file with fewer bits of data', () => {
  const file = (bits: number, channels: 1 | 3, more: TiffForm['more'] = []): Buffer => {
    const levels = channels === 3 ? original.data : original.data.filter((_, at) => at % 3 === 0);
    const values = Uint16Array.from(levels, (level) => (level << (bits - 8)) | 3);
    const parts = [new Uint8Array(values.buffer)];
    return tiffFile({ ...rgb, channels, bits: 16, compression: 1, parts, more });
  };
  const grey = original.data.map((_, at) => original.data[at - (at % 3)]!);

  it.each([10, 12, 14])('is read in the range that the tag names: %d bits', async (bits) => {
    for (const tag of [281, 341]) {
      const most = 2 ** bits - 1;
      const colour = file(bits, 3, [[tag, 3, [most, most, most]]]);
      expect((await decodeImage(colour)).data).toEqual(original.data);
      const single = file(bits, 1, [[tag, 3, [most]]]);
      expect((await decodeImage(single)).data).toEqual(grey);
      const reduced = await (await openImage(single)).reduce(WIDTH / 2, HEIGHT / 2);
      expect([...reduced.data]).toEqual([
        ...(await reduceImage({ ...original, data: grey }, WIDTH / 2, HEIGHT / 2)).data,
      ]);
    }
  });

  it('is read over 16 bits where no tag names a range of whole bits', async () => {
    const full = (await decodeImage(file(16, 3))).data;
    expect(full).toEqual(original.data);
    const dark = (await decodeImage(file(12, 3))).data;
    expect(dark).toEqual(original.data.map((level) => level >> 4));
    // The brightest sample of this image is no range: it differs from image to image.
    expect((await decodeImage(file(12, 3, [[281, 3, [3127]]]))).data).toEqual(dark);
  });
});
