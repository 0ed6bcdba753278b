import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { isStandardRgb } from './standard-rgb.ts';

async function profileOf(name: string): Promise<Buffer> {
  const grey = { create: { width: 4, height: 4, channels: 3 as const, background: '#808080' } };
  const { icc } = await sharp(await sharp(grey).withIccProfile(name).png().toBuffer()).metadata();
  if (!icc) throw new Error(`there is no profile ${name}`);
  return icc;
}

/** The profile with other bytes from where `signature` occurs first. */
function changed(profile: Buffer, signature: string, offset: number, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(profile);
  copy.set(bytes, copy.indexOf(signature, 128, 'latin1') + offset);
  return copy;
}

/** A profile with the tags, in version 2. */
function profileWith(tags: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(tags);
  const head = Buffer.alloc(132 + 12 * entries.length);
  head.write('RGB XYZ ', 16, 'latin1');
  head.writeUInt32BE(entries.length, 128);
  let start = head.length;
  for (const [index, [name, tag]] of entries.entries()) {
    head.write(name, 132 + 12 * index, 'latin1');
    head.writeUInt32BE(start, 136 + 12 * index);
    head.writeUInt32BE(tag.length, 140 + 12 * index);
    start += tag.length;
  }
  return Buffer.concat([head, ...entries.map(([, tag]) => tag)]);
}

function primary(...values: readonly number[]): Buffer {
  const tag = Buffer.alloc(20);
  tag.write('XYZ ', 'latin1');
  for (const [axis, value] of values.entries()) tag.writeInt32BE(Math.round(value * 65_536), 8 + 4 * axis);
  return tag;
}

/** The curve at evenly spaced points. */
function curve(points: number, linear: (value: number) => number): Buffer {
  const tag = Buffer.alloc(12 + 2 * points);
  tag.write('curv', 'latin1');
  tag.writeUInt32BE(points, 8);
  for (let index = 0; index < points; index++)
    tag.writeUInt16BE(Math.round(linear(index / (points - 1)) * 65_535), 12 + 2 * index);
  return tag;
}

const standard = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const primaries = {
  rXYZ: primary(0.43607, 0.22249, 0.01392),
  gXYZ: primary(0.38515, 0.71687, 0.09708),
  bXYZ: primary(0.14307, 0.06061, 0.7141),
};
const withCurve = (tag: Buffer, others: Readonly<Record<string, Buffer>> = {}): Buffer =>
  profileWith({ ...primaries, rTRC: tag, gTRC: tag, bTRC: tag, ...others });

describe('isStandardRgb', () => {
  let srgb: Buffer;
  beforeAll(async () => {
    srgb = await profileOf('srgb');
  });

  it('knows sRGB by formula and by points', () => {
    expect(isStandardRgb(srgb)).toBe(true);
    for (const points of [256, 1024, 4096]) expect(isStandardRgb(withCurve(curve(points, standard)))).toBe(true);
  });

  it('refuses other colours, other curves and tables', async () => {
    expect(isStandardRgb(await profileOf('p3'))).toBe(false);
    expect(isStandardRgb(withCurve(curve(1024, (value) => value ** 2.2)))).toBe(false);
    expect(isStandardRgb(withCurve(curve(1024, (value) => value)))).toBe(false);
    expect(isStandardRgb(withCurve(curve(16, standard)))).toBe(false);
    expect(isStandardRgb(withCurve(curve(1024, standard), { rXYZ: primary(0.51512, 0.2412, -0.00105) }))).toBe(false);
    expect(isStandardRgb(withCurve(curve(1024, standard), { gTRC: curve(1024, (value) => value ** 1.8) }))).toBe(false);
    expect(isStandardRgb(withCurve(curve(1024, standard), { A2B0: Buffer.alloc(32) }))).toBe(false);
  });

  it('refuses what is cut off, empty or has broken tags, without failing', () => {
    for (let length = 0; length < srgb.length - 12; length += 7)
      expect(isStandardRgb(srgb.subarray(0, length))).toBe(false);
    expect(isStandardRgb(changed(srgb, 'rXYZ', 4, [255, 255, 255, 0]))).toBe(false);
    expect(isStandardRgb(changed(srgb, 'rTRC', 4, [0, 0, 0, 0]))).toBe(false);
    const bottomless = curve(256, standard);
    bottomless.writeUInt32BE(0xffff_ffff, 8);
    expect(isStandardRgb(withCurve(bottomless))).toBe(false);
    expect(isStandardRgb(withCurve(curve(256, standard).subarray(0, 11)))).toBe(false);
  });
});
