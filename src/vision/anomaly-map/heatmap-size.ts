/** Longer side of a heatmap in pixels, at most. */
const LONGEST_SIDE = 768;

/** The size of the heatmap of an image: reduced by a whole number to 768 pixels or less. */
export function heatmapSize({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const reduction = Math.ceil(Math.max(width, height) / LONGEST_SIDE);
  return { width: Math.max(1, Math.round(width / reduction)), height: Math.max(1, Math.round(height / reduction)) };
}
