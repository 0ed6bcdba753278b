import type { RgbImage } from '../../vision/types.ts';
import type { PixelBox } from './draw-picture.ts';

/** A channel that changes by more than this many levels counts as changed: less is hidden by the grain. */
export const VISIBLE_LEVELS = 8;

/**
 * Where two pictures of the same sample differ: 1 where a channel differs by more than `VISIBLE_LEVELS`. Gaps up to two
 * pixels wide inside a defect are closed, as a person who outlines it would.
 * @returns [height · width]
 */
export function differenceMask(clean: RgbImage, defective: RgbImage, box: PixelBox): Uint8Array {
  const { width } = clean;
  const changed = new Uint8Array(width * clean.height);
  for (let row = box.top; row < box.bottom; row++) {
    for (let column = box.left; column < box.right; column++) {
      const at = (row * width + column) * 3;
      let largest = 0;
      for (let channel = 0; channel < 3; channel++) {
        largest = Math.max(largest, Math.abs(clean.data[at + channel]! - defective.data[at + channel]!));
      }
      if (largest > VISIBLE_LEVELS) changed[row * width + column] = 1;
    }
  }
  return close(changed, width, clean.height, box);
}

/** Morphological closing with a 3×3 square: grow, then shrink. What was set stays set. */
function close(mask: Uint8Array, width: number, height: number, box: PixelBox): Uint8Array {
  const grown = sweep(mask, width, height, box, (sum) => sum > 0);
  const closed = sweep(grown, width, height, box, (sum, cells) => sum === cells);
  for (let at = 0; at < mask.length; at++) if (mask[at]) closed[at] = 1;
  return closed;
}

function sweep(
  mask: Uint8Array,
  width: number,
  height: number,
  box: PixelBox,
  keep: (sum: number, cells: number) => boolean,
): Uint8Array {
  const out = new Uint8Array(mask.length);
  for (let row = Math.max(0, box.top - 1); row < Math.min(height, box.bottom + 1); row++) {
    for (let column = Math.max(0, box.left - 1); column < Math.min(width, box.right + 1); column++) {
      let sum = 0;
      let cells = 0;
      for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x++) {
          sum += mask[y * width + x]!;
          cells += 1;
        }
      }
      if (keep(sum, cells)) out[row * width + column] = 1;
    }
  }
  return out;
}
