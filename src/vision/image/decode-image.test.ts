import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { VisionError } from '../vision-error.ts';
import { decodeImage, openImage, probeImage } from './decode-image.ts';
import { reduceImage } from './resize-image.ts';

const WIDTH = 80;
const HEIGHT = 50;

/** Smooth colours, so that lossy formats stay close. */
const pixels = Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, index) => {
  const [x, y, channel] = [Math.floor(index / 3) % WIDTH, Math.floor(index / 3 / WIDTH), index % 3];
  return [x * 3, y * 5, 128][channel] ?? 0;
});
const source = (): Sharp => sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });

function bmp(bits: 8 | 24 | 32, topDown = false): Uint8Array {
  const paletteBytes = bits === 8 ? 1024 : 0;
  const stride = Math.ceil((WIDTH * bits) / 32) * 4;
  const file = Buffer.alloc(54 + paletteBytes + stride * HEIGHT);
  file.write('BM');
  file.writeUInt32LE(54 + paletteBytes, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(WIDTH, 18);
  file.writeInt32LE(topDown ? -HEIGHT : HEIGHT, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(bits, 28);
  for (let i = 0; i < paletteBytes / 4; i++) file.set([i, i, i, 0], 54 + i * 4);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const at = 54 + paletteBytes + (topDown ? y : HEIGHT - 1 - y) * stride + (x * bits) / 8;
      const [red, green, blue] = pixels.subarray((y * WIDTH + x) * 3);
      file.set(bits === 8 ? [red ?? 0] : [blue ?? 0, green ?? 0, red ?? 0], at);
    }
  return file;
}

const largestDifference = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((largest, value, index) => Math.max(largest, Math.abs(value - (b[index] ?? 0))), 0);

const refusal = async (bytes: Uint8Array): Promise<string> => {
  const error = await decodeImage(bytes).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(VisionError);
  return (error as VisionError).code;
};

/** Fine structure, so that every way to reduce shows. */
const noise = (): Sharp =>
  sharp(
    Uint8Array.from({ length: 300 * 222 * 3 }, (_, index) => (index * 2654435761) >>> 24),
    { raw: { width: 300, height: 222, channels: 3 } },
  );

describe('decodeImage', () => {
  it.each([
    ['jpeg', () => source().jpeg({ quality: 95 }).toBuffer(), 12],
    ['png', () => source().png().toBuffer(), 0],
    ['webp', () => source().webp({ lossless: true }).toBuffer(), 0],
    ['tiff', () => source().tiff({ compression: 'lzw' }).toBuffer(), 0],
    ['bmp', async () => bmp(24), 0],
    ['bmp', async () => bmp(24, true), 0],
    ['bmp', async () => bmp(32), 0],
  ] as const)('reads %s', async (format, encode, tolerance) => {
    const bytes = await encode();
    expect(await probeImage(bytes)).toEqual({ format, width: WIDTH, height: HEIGHT });
    const image = await decodeImage(bytes);
    expect([image.width, image.height, image.data.length]).toEqual([WIDTH, HEIGHT, pixels.length]);
    expect(largestDifference(image.data, pixels)).toBeLessThanOrEqual(tolerance);
  });

  it('turns grey, 8-bit palette, 16-bit and transparent images into 8-bit RGB', async () => {
    const grey = await decodeImage(await source().greyscale().png().toBuffer());
    expect(grey.data.length).toBe(pixels.length);
    const palette = await decodeImage(bmp(8));
    expect([...palette.data.subarray(0, 6)]).toEqual([0, 0, 0, 3, 3, 3]);
    const deep = await decodeImage(await source().toColourspace('rgb16').png().toBuffer());
    expect(largestDifference(deep.data, pixels)).toBeLessThanOrEqual(1);
    const clear = { create: { width: 4, height: 4, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } } };
    expect((await decodeImage(await sharp(clear).png().toBuffer())).data.every((value) => value === 255)).toBe(true);
  });

  it('turns the image as EXIF asks', async () => {
    const bytes = await source().withMetadata({ orientation: 6 }).png().toBuffer();
    expect(await probeImage(bytes)).toMatchObject({ width: HEIGHT, height: WIDTH });
    const image = await decodeImage(bytes);
    expect([image.width, image.height]).toEqual([HEIGHT, WIDTH]);
    // The first pixel of the turned image is the last row's first.
    expect([...image.data.subarray(0, 3)]).toEqual([...pixels.subarray((HEIGHT - 1) * WIDTH * 3).subarray(0, 3)]);
  });

  it('refuses what is no image', async () => {
    expect(await refusal(new Uint8Array())).toBe('not_an_image');
    expect(await refusal(Buffer.from('hello, this is a text'))).toBe('not_an_image');
    expect(await refusal(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).toBe(
      'not_an_image',
    );
    expect(await refusal(await source().gif().toBuffer())).toBe('not_an_image');
    expect(await refusal(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]))).toMatch(/not_an_image|truncated_image/);
  });

  it.each(['jpeg', 'png', 'webp', 'tiff'] as const)('refuses a %s that is cut off', async (format) => {
    const whole = await noise().toFormat(format).toBuffer();
    for (const share of [0.3, 0.6, 0.9]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      expect(await refusal(cut)).toMatch(/^(truncated_image|not_an_image)$/);
      await expect(openImage(cut).then((file) => file.reduce(40, 30))).rejects.toBeInstanceOf(VisionError);
      await expect(probeImage(cut)).rejects.toBeInstanceOf(VisionError);
    }
  });

  it.each([8, 24, 32] as const)(
    'refuses a BMP of %d bits that is cut off, at every hundredth of its length',
    async (bits) => {
      const whole = bmp(bits);
      for (let hundredth = 1; hundredth < 100; hundredth++) {
        const cut = whole.subarray(0, Math.floor((whole.length * hundredth) / 100));
        expect([hundredth, await refusal(cut)]).toEqual([hundredth, 'truncated_image']);
        await expect(openImage(cut).then((file) => file.reduce(40, 30))).rejects.toBeInstanceOf(VisionError);
      }
    },
  );

  it('refuses a cut BMP and one in a form it does not read', async () => {
    expect(await refusal(bmp(24).subarray(0, 5000))).toBe('truncated_image');
    expect(await refusal(bmp(24).subarray(0, 20))).toBe('truncated_image');
    const fewColours = Buffer.from(bmp(8));
    fewColours.writeUInt32LE(9, 46);
    expect(await refusal(fewColours)).toBe('not_an_image');
    const compressed = Buffer.from(bmp(8));
    compressed.writeUInt32LE(1, 30);
    expect(await refusal(compressed)).toBe('not_an_image');
  });

  it('refuses 30,000×30,000 in two kilobytes before decoding', async () => {
    const header = Buffer.from(await source().png().toBuffer());
    header.writeUInt32BE(30_000, 16);
    header.writeUInt32BE(30_000, 20);
    const { crc32 } = await import('node:zlib').then((zlib) => zlib as unknown as { crc32?: (b: Buffer) => number });
    if (crc32) header.writeUInt32BE(crc32(header.subarray(12, 29)), 29);
    const started = performance.now();
    expect(await refusal(header.subarray(0, 2048))).toBe('image_too_large');
    expect(performance.now() - started).toBeLessThan(1000);
    const bomb = Buffer.from(bmp(24));
    bomb.writeInt32LE(30_000, 18);
    bomb.writeInt32LE(30_000, 22);
    expect(await refusal(bomb)).toBe('image_too_large');
  });
});

describe('a profile', () => {
  const withProfile = (jpeg: Buffer, profile: Buffer): Buffer => {
    const segment = Buffer.concat([
      Buffer.from([0xff, 0xe2, 0, 0]),
      Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'),
      profile,
    ]);
    segment.writeUInt16BE(segment.length - 2, 2);
    return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
  };
  const profileOf = async (name: string): Promise<Buffer> => {
    const { icc } = await sharp(await source().withIccProfile(name).jpeg().toBuffer()).metadata();
    return icc ?? Buffer.alloc(0);
  };

  it('of the usual colours changes nothing, and one of others does', async () => {
    const jpeg = await source().jpeg().toBuffer();
    const [plain, usual, others] = await Promise.all(
      [jpeg, withProfile(jpeg, await profileOf('srgb')), withProfile(jpeg, await profileOf('p3'))].map(decodeImage),
    );
    expect(Buffer.compare(usual!.data, plain!.data)).toBe(0);
    expect(largestDifference(others!.data, plain!.data)).toBeGreaterThan(3);
  });
});

describe('an image that is reduced while it is decoded', () => {
  it.each<[string, () => Promise<Uint8Array>]>([
    ['jpeg', () => noise().jpeg().toBuffer()],
    ['jpeg without subsampling', () => noise().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
    ['progressive jpeg', () => noise().jpeg({ progressive: true }).toBuffer()],
    ['grey jpeg', () => noise().greyscale().jpeg().toBuffer()],
    ['cmyk jpeg', () => noise().toColourspace('cmyk').jpeg().toBuffer()],
    ['turned jpeg', () => noise().withMetadata({ orientation: 6 }).jpeg().toBuffer()],
    ['jpeg of the usual colours', () => noise().withIccProfile('srgb').jpeg().toBuffer()],
    ['jpeg of other colours', () => noise().withIccProfile('p3').jpeg().toBuffer()],
    ['png', () => noise().png().toBuffer()],
    ['grey png', () => noise().greyscale().png().toBuffer()],
    ['transparent png', () => noise().ensureAlpha(0.4).png().toBuffer()],
    ['16-bit png', () => noise().toColourspace('rgb16').png().toBuffer()],
    ['webp', () => noise().webp().toBuffer()],
    ['tiff', () => noise().tiff().toBuffer()],
    ['bmp', async () => bmp(24)],
  ])('has the pixels of the decoded %s, reduced', async (_, encode) => {
    const bytes = await encode();
    const [file, image] = [await openImage(bytes), await decodeImage(bytes)];
    expect([file.width, file.height]).toEqual([image.width, image.height]);
    const { width, height } = image;
    for (const share of [1, 1 / 2, 1 / 5, 1 / 9])
      for (const [across, down] of [
        [Math.ceil(width * share), Math.ceil(height * share)],
        [width, Math.ceil(height * share)],
      ] as const) {
        const reduced = Buffer.from(await reduceImage(image, across, down).then(({ data }) => new Uint8Array(data)));
        expect(reduced.equals(new Uint8Array((await file.reduce(across, down)).data))).toBe(true);
      }
  });
});
