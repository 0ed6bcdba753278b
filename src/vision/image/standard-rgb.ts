/** Where an ICC profile of version 2 or 4 keeps what is looked at here (ICC.1:2022, 7.2, 7.3, 10.6, 10.18, 10.31). */
const [COLOUR_SPACE_AT, CONNECTION_SPACE_AT, TAGS_AT, TAG_LENGTH] = [16, 20, 128, 12];
const MOST_TAGS = 100;
/** Red, green and blue of sRGB as X, Y, Z under D50, as profiles state them. */
const PRIMARIES: Readonly<Record<string, readonly [number, number, number]>> = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
};
const PRIMARY_TOLERANCE = 0.002;
/** Levels of 255 by which a profile's curve may miss that of sRGB. */
const CURVE_TOLERANCE = 0.6;
const LEVELS = 256;

type Curve = (value: number) => number;

const fromLinear = (value: number): number => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

function readTags(profile: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = Math.min(profile.readUInt32BE(TAGS_AT), MOST_TAGS);
  for (let index = 0; index < count; index++) {
    const at = TAGS_AT + 4 + index * TAG_LENGTH;
    const [start, length] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)];
    tags.set(profile.toString('latin1', at, at + 4), profile.subarray(start, start + length));
  }
  return tags;
}

const fixed = (tag: Buffer, at: number): number => tag.readInt32BE(at) / 65_536;

function isPrimary(tag: Buffer | undefined, expected: readonly number[]): boolean {
  if (tag?.toString('latin1', 0, 4) !== 'XYZ ') return false;
  return expected.every((value, axis) => Math.abs(fixed(tag, 8 + 4 * axis) - value) < PRIMARY_TOLERANCE);
}

/** A curve of points, or of the formula that sRGB has; others are not sRGB's. */
function readCurve(tag: Buffer): Curve | undefined {
  const kind = tag.toString('latin1', 0, 4);
  if (kind === 'para' && tag.readUInt16BE(8) === 3) {
    const [gamma = 1, a = 1, b = 0, c = 0, d = 0] = [12, 16, 20, 24, 28].map((at) => fixed(tag, at));
    return (value) => (value >= d ? (a * value + b) ** gamma : c * value);
  }
  if (kind !== 'curv') return undefined;
  const last = tag.readUInt32BE(8) - 1;
  if (last < 1) return undefined;
  const point = (index: number): number => tag.readUInt16BE(12 + 2 * index) / 65_535;
  return (value) => {
    const below = Math.min(last - 1, Math.floor(value * last));
    const share = value * last - below;
    return point(below) * (1 - share) + point(below + 1) * share;
  };
}

function isStandardCurve(tag: Buffer | undefined): boolean {
  const curve = tag && readCurve(tag);
  if (!curve) return false;
  for (let level = 0; level < LEVELS; level++) {
    const missed = fromLinear(curve(level / (LEVELS - 1))) * (LEVELS - 1) - level;
    if (!(Math.abs(missed) < CURVE_TOLERANCE)) return false;
  }
  return true;
}

/**
 * Whether an ICC profile describes sRGB itself, as those do that cameras and programs put into their files by default:
 * converting from it would take as long as decoding most files, and change nothing but roundings.
 */
export function isStandardRgb(profile: Buffer): boolean {
  try {
    const spaces = [COLOUR_SPACE_AT, CONNECTION_SPACE_AT].map((at) => profile.toString('latin1', at, at + 4));
    if (spaces.join() !== 'RGB ,XYZ ') return false;
    const tags = readTags(profile);
    // A table, where there is one, counts more than primaries and curves.
    if (tags.has('A2B0')) return false;
    const primaries = Object.entries(PRIMARIES).every(([name, expected]) => isPrimary(tags.get(name), expected));
    return primaries && ['rTRC', 'gTRC', 'bTRC'].every((name) => isStandardCurve(tags.get(name)));
  } catch (error) {
    // Too short for what it announces.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
