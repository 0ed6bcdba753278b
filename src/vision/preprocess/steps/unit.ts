import Type from 'typebox';

export type Unit = 'percent' | 'pixel';

/** Percent is the default because it still fits when a camera is replaced by one with more pixels. */
export const unitSchema = Type.Enum(['percent', 'pixel'], {
  default: 'percent',
  description: 'Unit of the lengths: percent of the image, or pixels of the image at this step',
});

export function lengthInPixels(length: number, unit: Unit, side: number): number {
  return unit === 'percent' ? (length / 100) * side : length;
}
