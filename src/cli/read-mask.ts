import sharp from 'sharp';

export interface Mask {
  readonly width: number;
  readonly height: number;
  /** [height · width], 1 = defect. */
  readonly mask: Uint8Array;
}

/** A drawn mask: every pixel that is neither dark nor transparent counts. */
export async function readMask(path: string): Promise<Mask> {
  const { data, info } = await sharp(path)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const drawn = (at: number): boolean =>
    (data[at + 3] ?? 0) > 127 && Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) > 127;
  return { width, height, mask: Uint8Array.from({ length: width * height }, (_, pixel) => (drawn(pixel * 4) ? 1 : 0)) };
}
