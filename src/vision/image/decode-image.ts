import sharp, { type Metadata, type Sharp } from 'sharp';
import type { ImageFile, OwnedImage, Picture, RgbImage } from '../types.ts';
import { VisionError } from '../vision-error.ts';
import { decodeBmp, readBmpHeader } from './decode-bmp.ts';
import { findImageFormat, type ImageFormat } from './image-format.ts';
import { checkFileSize, checkImageSize } from './image-limits.ts';
import { readPlainJpeg } from './plain-jpeg.ts';
import { reduceImage, reduceTo } from './resize-image.ts';
import { pixelsOfSharp } from './sharp-image.ts';
import { isStandardRgb } from './standard-rgb.ts';

export interface ImageProbe {
  readonly format: ImageFormat;
  /** Pixels after EXIF rotation. */
  readonly width: number;
  readonly height: number;
}

// `truncated` refuses half a file, yet lets pass what cameras commonly get wrong (odd EXIF, extra bytes).
const open = (bytes: Uint8Array, pixels?: PixelFormat): Sharp =>
  sharp(bytes, {
    ...{ failOn: 'truncated', limitInputPixels: false, sequentialRead: true, pages: 1 },
    ignoreIcc: pixels?.isStandard === true,
  });

function readableFormat(bytes: Uint8Array): ImageFormat {
  checkFileSize(bytes);
  if (bytes.length === 0) throw new VisionError('not_an_image', 'The file is empty.');
  const format = findImageFormat(bytes);
  if (format) return format;
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex');
  throw new VisionError(
    'not_an_image',
    `The file is none of JPEG, PNG, WebP, TIFF, BMP (it starts with ${start}). The content counts, not the name.`,
  );
}

function asVisionError(error: unknown, format: ImageFormat): VisionError {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  const cut = /premature|truncated|unexpected end|read error|not enough|out of order|end of (file|stream)|EOF/i;
  return cut.test(reason ?? '')
    ? new VisionError('truncated_image', `The ${format} file is cut off (${reason}); send the whole file.`)
    : new VisionError('not_an_image', `The ${format} file cannot be decoded (${reason}); save it again.`);
}

/** How the file keeps its pixels. */
interface PixelFormat
  extends Pick<Metadata, 'space' | 'depth' | 'channels' | 'hasProfile' | 'hasAlpha' | 'orientation'> {
  /** The profile says nothing that is not taken for granted. */
  readonly isStandard?: boolean;
}

interface ImageHeader extends ImageProbe {
  /** Absent for formats that we read ourselves. */
  readonly pixels?: PixelFormat;
}

/** What the library would say of it, in a hundredth of the time. */
function plainJpegHeader(bytes: Uint8Array): ImageHeader | undefined {
  const header = readPlainJpeg(bytes);
  if (!header) return undefined;
  const { width, height, channels } = header;
  const space = channels === 1 ? 'b-w' : 'srgb';
  return {
    format: 'jpeg',
    width,
    height,
    pixels: { space, depth: 'uchar', channels, hasProfile: false, hasAlpha: false },
  };
}

/** Format and size from the header alone: cheap, and refuses an image that would decode to too much memory. */
async function readHeader(bytes: Uint8Array): Promise<ImageHeader> {
  const format = readableFormat(bytes);
  if (format === 'bmp') {
    const { width, height } = readBmpHeader(bytes);
    return { format, width, height };
  }
  const plain = plainJpegHeader(bytes);
  if (plain) return plain;
  const pixels = await open(bytes)
    .metadata()
    .catch((error: unknown) => {
      throw asVisionError(error, format);
    });
  const isStandard = pixels.space === 'srgb' && pixels.icc !== undefined && isStandardRgb(pixels.icc);
  // EXIF orientations 5 to 8 lie on their side.
  const sideways = (pixels.orientation ?? 1) >= 5;
  const [width, height] = sideways ? [pixels.height, pixels.width] : [pixels.width, pixels.height];
  checkImageSize(width, height);
  return { format, width, height, pixels: { ...pixels, isStandard } };
}

/** Eight bits of red, green and blue. */
async function toPixels(pipeline: Sharp, format: ImageFormat): Promise<OwnedImage> {
  const { channels, ...image } = await pixelsOfSharp(pipeline).catch((error: unknown) => {
    throw asVisionError(error, format);
  });
  if (channels !== 3)
    throw new VisionError('not_an_image', `The ${format} file decodes to ${channels} channels; save it as RGB.`);
  return image;
}

const isColour = ({ space, depth, channels }: PixelFormat): boolean =>
  space === 'srgb' && depth === 'uchar' && channels === 3;

const isGrey = ({ space, depth, channels }: PixelFormat): boolean =>
  space === 'b-w' && depth === 'uchar' && channels === 1;

/** Only the operations that the file needs: each that changes nothing would still pass over every pixel. */
function toRgb(bytes: Uint8Array, pixels: PixelFormat): Sharp {
  let pipeline = open(bytes, pixels);
  if ((pixels.orientation ?? 1) > 1) pipeline = pipeline.autoOrient();
  if (pixels.hasAlpha) pipeline = pipeline.flatten({ background: '#ffffff' });
  return isColour(pixels) ? pipeline.raw() : pipeline.toColourspace('srgb').raw({ depth: 'uchar' });
}

/** Whether nothing happens to the file's pixels before they are reduced, beside grey ones becoming red, green and blue. */
const isPlain = (pixels: PixelFormat): boolean =>
  (isColour(pixels) || isGrey(pixels)) &&
  (!pixels.hasProfile || pixels.isStandard === true) &&
  (pixels.orientation ?? 1) === 1;

/** With its colours named at the start, so that the decoder of JPEG does not reduce by itself, and in another way. */
const toReducedRgb = (bytes: Uint8Array, pixels: PixelFormat, width: number, height: number): Sharp =>
  reduceTo(open(bytes, pixels).pipelineColourspace('srgb'), width, height).raw();

/**
 * JPEG, PNG, WebP, TIFF (first page) or BMP, told by content, to 8-bit sRGB in the position that EXIF asks for.
 * Transparent parts become white. Only the header is read before pixels are asked for.
 * @throws VisionError `not_an_image`, `truncated_image`, `image_too_large`, also where pixels are asked for
 */
export async function openImage(bytes: Uint8Array): Promise<ImageFile> {
  const { format, width, height, pixels } = await readHeader(bytes);
  const decode = async (): Promise<OwnedImage> => (pixels ? toPixels(toRgb(bytes, pixels), format) : decodeBmp(bytes));
  return {
    width,
    height,
    decode,
    async reduce(fewer, lower) {
      const isReduced = fewer < width || lower < height;
      return pixels && isReduced && isPlain(pixels)
        ? toPixels(toReducedRgb(bytes, pixels, fewer, lower), format)
        : reduceImage(await decode(), fewer, lower);
    },
  };
}

export const pixelsOf = async (picture: Picture): Promise<RgbImage> => ('data' in picture ? picture : picture.decode());

/** All of {@link openImage}'s pixels. Errors as there. */
export async function decodeImage(bytes: Uint8Array): Promise<OwnedImage> {
  return (await openImage(bytes)).decode();
}

/**
 * Reads the file to its end, since the header may promise more than it holds. A JPEG is decoded at an eighth of its
 * size, which takes half the time; other formats completely.
 * @throws VisionError `not_an_image`, `truncated_image`, `image_too_large`
 */
export async function probeImage(bytes: Uint8Array): Promise<ImageProbe> {
  const { format, width, height } = await readHeader(bytes);
  if (format !== 'jpeg') {
    await decodeImage(bytes);
    return { format, width, height };
  }
  // Under an eighth, so that the decoder itself reduces.
  const side = (length: number): number => Math.max(1, Math.floor(length / 9));
  await open(bytes)
    .resize(side(width), side(height), { fit: 'inside', kernel: 'nearest', fastShrinkOnLoad: true })
    .raw()
    .toBuffer()
    .catch((error: unknown) => {
      throw asVisionError(error, format);
    });
  return { format, width, height };
}
