import { say } from '../engine-messages.ts';
import { VisionError } from '../vision-error.ts';
import type { KnownImage } from './check-known-images.ts';
import type { FoundCorrections, PlacePatches } from './find-corrections.ts';

/** Safety margins that a factor may keep above the ratios of known images; the least sufficient one is taken. */
const SAFETIES = [1.2, 1.5, 2, 3, 5] as const;
/** Share of held-out known images that a safety may leave with another verdict. */
const HARMED_SHARE = 0.02;
/** A corrected patch that a known image of the other verdict resembles more than this cannot be told from it. */
const MAX_RATIO = 10;

/** The highest ratio of a patch over all known images. */
interface HighestRatio {
  ratio: number;
  /** Index of the image that it comes from. */
  image: number;
  /** The highest ratio over the other images. */
  next: number;
}

function highestRatios(patches: number, ratios: readonly Float32Array[]): HighestRatio[] {
  return Array.from({ length: patches }, (_, patch) => {
    const highest: HighestRatio = { ratio: 0, image: -1, next: 0 };
    ratios.forEach((ofImage, image) => {
      const ratio = ofImage[patch]!;
      if (ratio > highest.ratio) {
        highest.next = highest.ratio;
        highest.ratio = ratio;
        highest.image = image;
      } else highest.next = Math.max(highest.next, ratio);
    });
    return highest;
  });
}

/** The least safety at which images keep their verdicts by factors from the other images: leave-one-out. */
function findSafety(highest: readonly HighestRatio[], images: number): number {
  const allowed = Math.floor(HARMED_SHARE * images);
  const harmedAt = (safety: number): number =>
    new Set(highest.filter(({ ratio, next }) => ratio >= Math.max(1, safety * next)).map(({ image }) => image)).size;
  return SAFETIES.find((safety) => harmedAt(safety) <= allowed) ?? SAFETIES[SAFETIES.length - 1]!;
}

/**
 * For each corrected patch the factor that a ratio must exceed for the correction to count, so that no known image gets
 * another verdict by it.
 * @param ratios of each known image, [patches]
 */
export function weighPatches(patches: number, ratios: readonly Float32Array[]): Float32Array {
  const highest = highestRatios(patches, ratios);
  const safety = findSafety(highest, ratios.length);
  return Float32Array.from(highest, ({ ratio }) => Math.max(1, safety * ratio));
}

/** Each place with the indices of its patches among those of all places. */
function withIndices(places: readonly PlacePatches[]) {
  let start = 0;
  return places.map(({ sample, patches }) => {
    const indices = Array.from({ length: patches.rows }, (_, row) => start + row);
    start += patches.rows;
    return { name: sample.name, indices };
  });
}

/** @throws VisionError `cannot_teach` with the corrected item and the known one of the other verdict that look the same */
function refuseContradictions(
  { missed, suppressed }: FoundCorrections,
  factors: Float32Array,
  known: readonly KnownImage[],
): void {
  for (const { name, indices } of withIndices(missed)) {
    const [best = 0] = indices.sort((a, b) => factors[a]! - factors[b]!);
    const [twin] = known
      .filter((image) => image.sample.good && image.missedRatios[best]! > MAX_RATIO)
      .sort((a, b) => b.missedRatios[best]! - a.missedRatios[best]!);
    if (twin) throw new VisionError('cannot_teach', say('refine.defect-like-good', { name, other: twin.sample.name }));
  }
  for (const { name, indices } of withIndices(suppressed)) {
    const twin = known.find((image) => indices.some((patch) => image.suppressedRatios[patch]! > MAX_RATIO));
    if (twin) throw new VisionError('cannot_teach', say('refine.good-like-defect', { name, other: twin.sample.name }));
  }
}

export interface CorrectionFactors {
  /** [missed patches] */
  readonly missed: Float32Array;
  /** [suppressed patches] */
  readonly suppressed: Float32Array;
}

/**
 * Weighs the corrections by the known images.
 * @throws VisionError `cannot_teach` where a correction contradicts a known image
 */
export function weighCorrections(found: FoundCorrections, known: readonly KnownImage[]): CorrectionFactors {
  const countPatches = (places: readonly PlacePatches[]): number =>
    places.reduce((sum, { patches }) => sum + patches.rows, 0);
  const good = known.filter(({ sample }) => sample.good);
  const missedRatios = good.map((image) => image.missedRatios);
  const suppressedRatios = known.map((image) => image.suppressedRatios);
  const missed = weighPatches(countPatches(found.missed), missedRatios);
  const suppressed = weighPatches(countPatches(found.suppressed), suppressedRatios);
  refuseContradictions(found, missed, known);
  return { missed, suppressed };
}
