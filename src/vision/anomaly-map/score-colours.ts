/** Colour stops over the anomaly score: nothing where it is ordinary, amber below the threshold (0.5), red above. */
const STOPS: readonly (readonly [number, readonly [number, number, number, number]])[] = [
  [0.38, [255, 214, 64, 0]],
  [0.46, [255, 190, 40, 90]],
  [0.5, [255, 120, 20, 150]],
  [0.6, [230, 20, 30, 190]],
  [1, [200, 0, 60, 215]],
];

function colourOf(score: number): readonly [number, number, number, number] {
  const above = STOPS.findIndex(([position]) => score <= position);
  const upper = STOPS[above < 0 ? STOPS.length - 1 : above];
  const lower = STOPS[Math.max(0, (above < 0 ? STOPS.length : above) - 1)];
  if (!upper || !lower || upper === lower) return upper?.[1] ?? [0, 0, 0, 0];
  const share = Math.min(1, (score - lower[0]) / (upper[0] - lower[0]));
  const mix = (channel: 0 | 1 | 2 | 3): number => lower[1][channel] * (1 - share) + upper[1][channel] * share;
  return [mix(0), mix(1), mix(2), mix(3)];
}

/** Red, green, blue, opacity for each of 256 scores. */
export const SCORE_COLOURS = Uint8Array.from(
  { length: 1024 },
  (_, index) => colourOf(Math.floor(index / 4) / 255)[index % 4] ?? 0,
);

/**
 * For each of 256 scores the factor of the pixel under its colour, then what red, green and blue add: × 65,536, where
 * (n · 257 + 257) >> 16 is n / 255 without a division. A factor of {@link UNCOLOURED} leaves the pixel as it is.
 */
export const SCORE_BLENDS = Int32Array.from({ length: 1024 }, (_, index) => {
  const colour = index - (index % 4);
  const alpha = SCORE_COLOURS[colour + 3]!;
  return index === colour ? (255 - alpha) * 257 : SCORE_COLOURS[index - 1]! * alpha * 257 + 257;
});
export const UNCOLOURED = 255 * 257;

/** The lowest of the 256 scores that is coloured at all; all above are. */
export const FIRST_COLOURED = SCORE_COLOURS.findIndex((value, index) => index % 4 === 3 && value > 0) >> 2;
