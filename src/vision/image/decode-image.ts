import sharp, { type FailOnOptions, type Metadata, type Sharp } from 'sharp';
import { say } from '../engine-messages.ts';
import type { ImageFile, OwnedImage, Picture, RgbImage } from '../types.ts';
import { VisionError } from '../vision-error.ts';
import { turnImage } from './arrange-image.ts';
import { decodeBmp, readBmpHeader } from './decode-bmp.ts';
import { extendJpeg } from './extend-jpeg.ts';
import { checkFileSize, checkImageSize, findImageFormat, type ImageFormat } from './image-format.ts';
import { pixelsOfSharp, reduceImage, reduceTo } from './resize-image.ts';
import { isStandardRgb } from './standard-rgb.ts';
import { readTiffTags, TIFF } from './tiff-tags.ts';

type Source = Awaited<ReturnType<typeof readSource>>;

function findFormat(bytes: Uint8Array): ImageFormat {
  checkFileSize(bytes);
  if (bytes.length === 0) throw new VisionError('not_an_image', say('image.empty'));
  const format = findImageFormat(bytes);
  if (format) return format;
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex');
  throw new VisionError('not_an_image', say('image.unknown-format', { start }));
}

/** Compressions whose errors the library reports as errors: none, LZW, and deflate by its two numbers. */
const REPORTED = new Set([1, 5, 8, 32946]);

/**
 * How strict the library must be so that it gives all pixels or none. Below `error`, strips of a TIFF that cannot be
 * decoded stay black. Below `warning`, so do tiles, and a JPEG scan that ends early is filled up with grey. For other
 * files a warning is harmless, such as that of an unnamed fourth channel.
 */
function strictnessFor(format: ImageFormat, tiffTags: ReadonlyMap<number, number>): FailOnOptions {
  if (format === 'jpeg') return 'warning';
  if (format !== 'tiff') return 'error';
  const isReported = REPORTED.has(tiffTags.get(TIFF.compression) ?? 1) && !tiffTags.has(TIFF.tileWidth);
  return isReported ? 'error' : 'warning';
}

/**
 * The tag must name a range of whole bits, such as 4095. Some programs write the brightest sample of the image there,
 * which would change the brightness from image to image.
 */
function findFilledBits(tiffTags: ReadonlyMap<number, number>): number | undefined {
  const most = tiffTags.get(TIFF.maxSampleValue) ?? tiffTags.get(TIFF.sMaxSampleValue) ?? 0;
  const bits = Math.log2(most + 1);
  return Number.isInteger(bits) && bits > 8 && bits < 16 ? bits : undefined;
}

const open = (bytes: Uint8Array, failOn: FailOnOptions, ignoreIcc = false): Sharp =>
  sharp(bytes, { failOn, ignoreIcc, limitInputPixels: false, sequentialRead: true, pages: 1 });

function asVisionError(error: unknown, format: ImageFormat): VisionError {
  const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const details = /Unknown error|failOn/.test(text) ? 'its data is damaged' : text;
  const cut = /premature|truncated|unexpected end|read error|not enough|out of order|end of (file|stream)|EOF/i;
  return cut.test(details)
    ? new VisionError('truncated_image', say('image.cut-off', { format, details }))
    : new VisionError('not_an_image', say('image.undecodable', { format, details }));
}

/** Refuses samples that the library would clip to black or white. */
function checkSamples(format: ImageFormat, { depth, space }: Metadata): void {
  if (depth === 'uchar' || depth === 'ushort' || space.startsWith('lab')) return;
  const isWide = depth === 'uint' || depth === 'int';
  const isSigned = depth === 'char' || depth === 'short';
  const kind = say(isWide ? 'samples.wide' : isSigned ? 'samples.signed' : 'samples.float');
  throw new VisionError('not_an_image', say('image.samples', { format, kind }));
}

/** A file that sharp decodes, by its header alone: images that are too large are refused before they are decoded. */
async function readSource(bytes: Uint8Array, format: ImageFormat) {
  const tiffTags = format === 'tiff' ? readTiffTags(bytes) : new Map<number, number>();
  const failOn = strictnessFor(format, tiffTags);
  const metadata = await open(bytes, failOn)
    .metadata()
    .catch((error: unknown) => {
      throw asVisionError(error, format);
    });
  checkImageSize(metadata.width, metadata.height);
  checkSamples(format, metadata);
  /** Whether the embedded profile describes sRGB itself. */
  const isStandard = metadata.space === 'srgb' && metadata.icc !== undefined && isStandardRgb(metadata.icc);
  /** Bits of data in a 16-bit file, where its tags name fewer than 16. */
  const filledBits = metadata.depth === 'ushort' ? findFilledBits(tiffTags) : undefined;
  const extended = format === 'jpeg' ? extendJpeg(bytes) : undefined;
  return { bytes, format, failOn, metadata, isStandard, filledBits, extended };
}

const readPixels = (pipeline: Sharp, format: ImageFormat): ReturnType<typeof pixelsOfSharp> =>
  pixelsOfSharp(pipeline).catch((error: unknown) => {
    throw asVisionError(error, format);
  });

async function readRgb(pipeline: Sharp, format: ImageFormat): Promise<OwnedImage> {
  const { channels, ...image } = await readPixels(pipeline, format);
  if (channels !== 3) throw new VisionError('not_an_image', say('image.channels', { format, channels }));
  return image;
}

/** Decodes to 8-bit RGB. Each operation passes over every pixel, so only those that the file needs are used. */
async function decodeSource(source: Source): Promise<OwnedImage> {
  const { bytes, format, failOn, metadata, isStandard, filledBits, extended } = source;
  let pipeline = open(extended?.bytes ?? bytes, failOn, isStandard);
  if (!extended) pipeline = pipeline.autoOrient();
  if (metadata.hasAlpha) pipeline = pipeline.flatten({ background: '#ffffff' });
  if (filledBits !== undefined) return decodeNarrow(pipeline, source, filledBits);
  const isRgb = metadata.space === 'srgb' && metadata.depth === 'uchar' && metadata.channels === 3;
  const image = await readRgb(isRgb ? pipeline : pipeline.toColourspace('srgb').raw({ depth: 'uchar' }), format);
  if (!extended) return image;
  const { width, height, orientation = 1 } = metadata;
  const cut: OwnedImage = { width, height, data: image.data.subarray(0, width * height * 3) };
  const turn = TURNS[orientation];
  return turn ? turnImage(cut, ...turn) : cut;
}

/** Decodes to the upper eight of the bits that hold data. */
async function decodeNarrow(pipeline: Sharp, { format, metadata }: Source, filledBits: number): Promise<OwnedImage> {
  const space = metadata.channels < 3 ? 'grey16' : 'rgb16';
  const raw = pipeline.toColourspace(space).raw({ depth: 'ushort' });
  const { width, height, channels, data } = await readPixels(raw, format);
  const samples = new Uint16Array(data.buffer, data.byteOffset, width * height * channels);
  const out = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let channel = 0; channel < 3; channel++) {
      const sample = samples[pixel * channels + (channels < 3 ? 0 : channel)]!;
      out[3 * pixel + channel] = Math.min(255, sample >> (filledBits - 8));
    }
  return { width, height, data: out };
}

/** For each EXIF orientation: clockwise quarter turns, and whether the image is mirrored left to right before them. */
const TURNS: Readonly<Record<number, readonly [0 | 1 | 2 | 3, boolean]>> = {
  2: [0, true],
  3: [2, false],
  4: [2, true],
  5: [3, true],
  6: [1, false],
  7: [1, true],
  8: [3, false],
};

/** Whether the file's pixels can be reduced as they are: only grey becomes RGB. */
const isPlain = ({ metadata, isStandard, extended }: Source): boolean =>
  metadata.depth === 'uchar' &&
  ((metadata.space === 'srgb' && metadata.channels === 3) || (metadata.space === 'b-w' && metadata.channels === 1)) &&
  (!metadata.hasProfile || isStandard) &&
  (metadata.orientation ?? 1) === 1 &&
  !extended;

/**
 * JPEG, PNG, WebP, TIFF (first page) or BMP, told by content, to 8-bit sRGB in the position that EXIF asks for.
 * Transparent parts become white. Only the header is read before pixels are asked for.
 * @throws VisionError `not_an_image`, `truncated_image`, `image_too_large`, also where pixels are asked for
 */
export async function openImage(bytes: Uint8Array): Promise<ImageFile> {
  const format = findFormat(bytes);
  if (format === 'bmp') {
    const { width, height } = readBmpHeader(bytes);
    const decode = async (): Promise<OwnedImage> => decodeBmp(bytes);
    return { width, height, decode, reduce: async (fewer, lower) => reduceImage(decodeBmp(bytes), fewer, lower) };
  }
  const source = await readSource(bytes, format);
  const { autoOrient: size } = source.metadata;
  return {
    width: size.width,
    height: size.height,
    decode: () => decodeSource(source),
    async reduce(fewer, lower) {
      const isReduced = fewer < size.width || lower < size.height;
      if (!isReduced || !isPlain(source)) return reduceImage(await decodeSource(source), fewer, lower);
      // One pipeline saves 1 to 3 ms for a megapixel, and 300 MB for 100 megapixels. `pipelineColourspace` keeps the JPEG
      // decoder from reducing the image in its own way.
      const pipeline = open(bytes, source.failOn, source.isStandard).pipelineColourspace('srgb');
      return readRgb(reduceTo(pipeline, fewer, lower), format);
    },
  };
}

export const pixelsOf = async (picture: Picture): Promise<RgbImage> => ('data' in picture ? picture : picture.decode());

/** All pixels of an image file; see {@link openImage}. */
export async function decodeImage(bytes: Uint8Array): Promise<OwnedImage> {
  return (await openImage(bytes)).decode();
}

export type ImageProbe = Awaited<ReturnType<typeof probeImage>>;

/** Format and size after EXIF rotation. All is decoded: a header may promise too much. Errors as of {@link openImage}. */
export async function probeImage(bytes: Uint8Array) {
  const format = findFormat(bytes);
  const { width, height } = format === 'jpeg' ? await probeJpeg(bytes) : await decodeImage(bytes);
  return { format, width, height };
}

/**
 * Decodes a whole JPEG for one column of its pixels. Without a copy of the others, the check of a megapixel takes 4.4 ms
 * of processor time instead of 6.8.
 */
async function probeJpeg(bytes: Uint8Array): Promise<Metadata['autoOrient']> {
  const { failOn, metadata, extended = { bytes, height: metadata.height } } = await readSource(bytes, 'jpeg');
  const column = { left: 0, top: 0, width: 1, height: extended.height };
  await readPixels(open(extended.bytes, failOn).extract(column).raw(), 'jpeg');
  return metadata.autoOrient;
}
