import type { InputLayout } from '../../backbone/input-layout.ts';
import { median } from '../../math/quantile.ts';
import { sampleIndices } from '../../math/sample-indices.ts';
import type { FitInput } from '../../training/fit-input.ts';
import type { TrainingSample } from '../../types.ts';
import { toPreparedRegions } from '../supervised/labelled-regions.ts';

/** The network sees about 90 pixels around a cell; usual defects of more than this many pixels are made smaller. */
const USUAL_DEFECT = 56;
const GRAIN = 32;
const LEAST_SIDE = 96;
const MEASURED = 24;

/** Side of the samples' usual defect, in pixels of the canvas. */
async function usualDefect(samples: readonly TrainingSample[], layout: InputLayout, { random }: FitInput) {
  const annotated = samples.filter(({ regions }) => regions.length > 0);
  const sides: number[] = [];
  for (const index of sampleIndices(annotated.length, MEASURED, random)) {
    const sample = annotated[index];
    if (!sample) continue;
    const prepared = await sample.load();
    const { width, height } = prepared.image;
    const scale = Math.sqrt((layout.canvasWidth * layout.canvasHeight) / (width * height));
    for (const { xMin, xMax, yMin, yMax } of toPreparedRegions(sample.regions, prepared))
      sides.push(scale * Math.sqrt((xMax - xMin) * (yMax - yMin)));
  }
  return sides.length > 0 ? median(sides) : USUAL_DEFECT;
}

/** The layout, on a smaller canvas where the samples' defects are larger than the network can see at once. */
export async function fitToDefects(
  layout: InputLayout,
  samples: readonly TrainingSample[],
  input: FitInput,
): Promise<InputLayout> {
  const scale = USUAL_DEFECT / (await usualDefect(samples, layout, input));
  if (scale >= 1) return layout;
  const scaled = (side: number): number => Math.max(LEAST_SIDE, Math.round((side * scale) / GRAIN) * GRAIN);
  const smaller = (side: number): number => Math.min(side, scaled(side));
  const [canvasWidth, canvasHeight] = [smaller(layout.canvasWidth), smaller(layout.canvasHeight)];
  return {
    canvasWidth,
    canvasHeight,
    tileWidth: Math.min(layout.tileWidth, canvasWidth),
    tileHeight: Math.min(layout.tileHeight, canvasHeight),
  };
}
