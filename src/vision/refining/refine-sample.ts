import { inspectedCells } from '../anomaly-map/inspected-map.ts';
import type { OuterMargins } from '../anomaly-map/parse-ignore-outer.ts';
import type { MeasuredPatches } from '../anomaly-map/patch-measure.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import type { ImageFrame, TrainingSample } from '../types.ts';

/** An image with a person's verdict. */
export interface RefineSample extends TrainingSample {
  /** correction: the model's verdict is to become the person's; known: the model's verdict must not change. */
  readonly use: 'correction' | 'known';
  /** The model was trained on the image. */
  readonly learned: boolean;
}

export interface MeasuredImage {
  readonly sample: RefineSample;
  readonly frame: ImageFrame;
  /** Without corrections. */
  readonly patches: MeasuredPatches;
  /** The inspected cells. */
  readonly cells: readonly number[];
}

/** Measures the sample's patches. Good images of the training are held out: the model must not recognise them. */
export async function measureSample(
  sample: RefineSample,
  model: RefinableModel,
  margins: OuterMargins,
): Promise<MeasuredImage> {
  const { image, ...rest } = await sample.load();
  const patches = await model.measure(image, sample.learned && sample.good);
  const frame = { ...rest, image: { width: image.width, height: image.height } };
  const inspected = inspectedCells(patches.rows, patches.columns, frame, margins);
  return { sample, frame, patches, cells: [...inspected.keys()].filter((cell) => inspected[cell] === 1) };
}

/** Images by the item that they belong to, in the order of the items' first images. */
export function groupByItem<T extends { readonly sample: RefineSample }>(images: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const image of images) {
    const group = groups.get(image.sample.itemId);
    if (group) group.push(image);
    else groups.set(image.sample.itemId, [image]);
  }
  return [...groups.values()];
}
