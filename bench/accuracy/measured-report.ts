import { type Dataset, readDatasetFolder, readMask } from '../../src/cli/dataset-folder.ts';
import { type EvaluateOptions, type EvaluationReport, evaluateDataset } from '../../src/cli/evaluate-dataset.ts';
import { labelDefects } from '../../src/cli/label-defects.ts';
import type { ImageVerdict } from '../../src/vision/inspection/open-inspector.ts';
import { readBoxDataset } from './box-dataset.ts';
import { type BoxFit, fitBoxes, type MaskedRegions } from './box-fit.ts';
import { meanAveragePrecision } from './detection-metrics.ts';
import { mixInDefects } from './mix-in-defects.ts';

/** The report of `kensa evaluate`, with figures that only some rows have. */
export interface MeasuredReport extends EvaluationReport {
  /** Defects among the good images: how many, how many of them training named (as outliers, or doubtful), and how many good ones with them. */
  readonly dirt?: { readonly mixed_in: number; readonly named: number; readonly good_named: number };
  /** Regions against masks, where a defective image has one and was found NG. */
  readonly boxes?: BoxFit;
  /** Mean average precision of the classes at an intersection over union of 0.33, and the average precision of each class. */
  readonly map_iou33?: number | null;
  readonly ap_per_class?: Readonly<Record<number, number>>;
}

export interface Dirt {
  /** Share of defects among the training images, 0 to 0.5. */
  readonly share: number;
  /** true: the drawn defects are taken out of the test but not mixed into the training, to compare with. */
  readonly aside: boolean;
}

const BOX_OVERLAP = 0.33;

const DRAWN_BY = 0;

/**
 * Evaluates a folder with train/good, test/good and test/<kind>.
 * @param choice `dirt`: test defects among the good images; `labelled`: so many test defects annotated among the
 * training images
 */
export async function measureFolder(
  directory: string,
  options: EvaluateOptions,
  choice: { trainLimit?: number | undefined; dirt?: Dirt | undefined; labelled?: number | undefined } = {},
): Promise<MeasuredReport> {
  const { trainLimit, dirt, labelled } = choice;
  const folder = await readDatasetFolder(directory, trainLimit);
  const dataset = labelled === undefined ? folder : await labelDefects(folder, { count: labelled, seed: DRAWN_BY });
  if (!dirt) {
    const { report, regions } = await evaluateDataset(dataset, options);
    const boxes = await fitMasks(dataset, regions);
    return { ...report, ...(boxes ? { boxes } : {}) };
  }
  const { dataset: changed, defects } = mixInDefects(dataset, dirt);
  const { report, outliers, doubtful } = await evaluateDataset(changed, options);
  if (dirt.aside) return report;
  const named = [...outliers, ...doubtful];
  const culprits = named.filter((path) => defects.includes(path)).length;
  return { ...report, dirt: { mixed_in: defects.length, named: culprits, good_named: named.length - culprits } };
}

async function fitMasks({ test }: Dataset, regions: readonly ImageVerdict['regions'][]): Promise<BoxFit | undefined> {
  const images: MaskedRegions[] = [];
  for (const [index, { maskPath }] of test.entries())
    if (maskPath) images.push({ ...(await readMask(maskPath)), regions: regions[index]! });
  return fitBoxes(images);
}

/** Evaluates a folder in the layout of DeepPCB. */
export async function measureBoxes(directory: string, options: EvaluateOptions): Promise<MeasuredReport> {
  const { name, train, test } = await readBoxDataset(directory);
  const dataset = { name, train, test: test.map(({ path, good }) => ({ path, good, kind: good ? 'good' : 'defect' })) };
  // Precision is measured over all regions, also those that a threshold would hide.
  const { report, regions } = await evaluateDataset(dataset, { ...options, regionsFrom: 0 });
  const truth = test.flatMap((image, index) => image.regions.flatMap((region) => toBox(region, index)));
  const found = regions.flatMap((ofImage, index) =>
    ofImage.flatMap((region) => toBox(region, index).map((box) => ({ ...box, score: region.anomalyScore }))),
  );
  const { mean, perClass } = meanAveragePrecision(truth, found, BOX_OVERLAP);
  return { ...report, map_iou33: mean, ap_per_class: perClass };
}

type Region =
  | ImageVerdict['regions'][number]
  | Awaited<ReturnType<typeof readBoxDataset>>['test'][number]['regions'][number];

/** A region with a class as a box of its image; nothing for a region without a class. */
function toBox({ label, xMin, yMin, xMax, yMax }: Region, image: number) {
  return label === null || label === undefined ? [] : [{ image, label, xMin, yMin, xMax, yMax }];
}
