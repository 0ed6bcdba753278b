import { type InputLayout, layoutTiles } from '../features/input-layout.ts';
import type { ParameterValues } from '../types.ts';

/** Tiles of all good images up to which turned copies pay: beyond, other photos show more than copies do, and training takes four times as long. */
const FEW = 20;

/**
 * Whether an anomaly algorithm learns from the good images in all quarter turns. Where it is left to us, few images decide:
 * copies never ranked defects lower on the sets that we measure, and on one much higher.
 */
export function learnsTurned({ rotations }: ParameterValues, goodImages: number, layout: InputLayout): boolean {
  if (rotations === 'auto') return goodImages * layoutTiles(layout).length <= FEW;
  return String(rotations) === 'true';
}
