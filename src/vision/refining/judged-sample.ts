import { inspectedCells } from '../anomaly-map/inspected-map.ts';
import type { OuterMargins } from '../anomaly-map/parse-ignore-outer.ts';
import type { MeasuredPatches } from '../anomaly-map/patch-measure.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import type { ImageFrame, TrainingSample } from '../types.ts';

/** An image that a person has judged. */
export interface JudgedSample extends TrainingSample {
  /** teach: the verdict is to become the person's; known: it must not change by what is taught. */
  readonly use: 'teach' | 'known';
  /** The model was trained on it: it is judged as if the model had not seen it. */
  readonly learned: boolean;
}

/** An image with its patches. */
export interface JudgedImage {
  readonly sample: JudgedSample;
  readonly frame: ImageFrame;
  readonly judged: MeasuredPatches;
  /** Cells that are inspected. */
  readonly cells: readonly number[];
}

/** The sample's patches, before anything was taught. */
export async function judgeSample(
  sample: JudgedSample,
  model: RefinableModel,
  margins: OuterMargins,
): Promise<JudgedImage> {
  const { image, ...rest } = await sample.load();
  // What defects taught it makes them no nearer to what is good.
  const judged = await model.measure(image, sample.learned && sample.good);
  const frame = { ...rest, image: { width: image.width, height: image.height } };
  const flags = inspectedCells(judged.rows, judged.columns, frame, margins);
  return { sample, frame, judged, cells: [...flags.keys()].filter((cell) => flags[cell] === 1) };
}

/** Images by the item that they belong to, in order. */
export function groupByItem<T extends { readonly sample: JudgedSample }>(images: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const image of images) {
    const { itemId } = image.sample;
    groups.set(itemId, [...(groups.get(itemId) ?? []), image]);
  }
  return [...groups.values()];
}
