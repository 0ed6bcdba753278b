import { say } from '../../engine-messages.ts';
import { VisionError } from '../../vision-error.ts';

/** Of the covariances; a training takes about twelve times as much memory. */
export const MOST_BYTES = 140e6;

const bytesOf = (cells: number, channels: number): number => 4 * cells * ((channels * (channels + 1)) / 2);

/**
 * The Gaussians grow with the square of the channels and of the input's side, which each by itself is within its range.
 * @param grid of an image's features
 * @throws VisionError `invalid_value` where both together are too much, naming what would fit
 */
export function checkGridSize(grid: { rows: number; columns: number }, channels: number, imageSize: number): void {
  const cells = grid.rows * grid.columns;
  const bytes = bytesOf(cells, channels);
  if (bytes <= MOST_BYTES) return;
  let fewer = channels;
  while (fewer > 1 && bytesOf(cells, fewer) > MOST_BYTES) fewer--;
  const smaller = 32 * Math.floor((imageSize * Math.sqrt(MOST_BYTES / bytes)) / 32);
  throw new VisionError(
    'invalid_value',
    say('padim.too-large', {
      imageSize,
      channels,
      megabytes: Math.round(bytes / 1e6),
      most: MOST_BYTES / 1e6,
      fewer,
      smaller,
    }),
  );
}
