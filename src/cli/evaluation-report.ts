import { type DetectedBox, type LabelledBox, meanAveragePrecision } from '../vision/evaluation/detection-metrics.ts';
import { type MaskedMap, pixelMetrics } from '../vision/evaluation/pixel-metrics.ts';
import { averagePrecision, f1Max, imageAuroc } from '../vision/evaluation/ranking-metrics.ts';
import { quantile } from '../vision/math/quantile.ts';
import type { ParameterValues } from '../vision/types.ts';
import type { EvaluationImages } from './evaluation-images.ts';

/** Figures that cannot be computed are null. */
export interface EvaluationReport {
  readonly dataset: string;
  readonly algorithm: string;
  readonly params: ParameterValues;
  readonly train_images: number;
  /** Training images that the algorithm left out as unlike all others. */
  readonly left_out: number;
  /** Training images that it named as worth a look. */
  readonly doubtful: number;
  readonly test_good: number;
  readonly test_defect: number;
  readonly image_auroc: number | null;
  readonly image_ap: number | null;
  readonly pixel_auroc: number | null;
  readonly pixel_pro: number | null;
  readonly f1_max: number | null;
  readonly at_threshold: { readonly false_alarms: number; readonly escapes: number };
  readonly train_seconds: number;
  /** From file bytes to verdict and regions; no heatmap is drawn. */
  readonly ms_per_image: { readonly p50: number; readonly p95: number };
  /** Median milliseconds of each stage of an inspection. */
  readonly ms_stages: Readonly<Record<string, number>>;
  readonly peak_rss_mb: number;
  readonly model_mb: number;
  /** With defects mixed in: how many, how many of them were named (left out, or doubtful), and how many good ones with them. */
  readonly dirt?: { readonly mixed_in: number; readonly named: number; readonly good_named: number };
  /** With labelled defects: how many, and the share of the test's defects that got the number of their kind. */
  readonly labelled?: { readonly defects: number; readonly right_class: number };
  /** With `--boxes`: mean average precision of classes at an intersection over union of 0.33, and each class's own. */
  readonly map_iou33?: number | null;
  readonly ap_per_class?: Readonly<Record<number, number>>;
}

export interface TrainedEvaluation {
  readonly model: Uint8Array;
  readonly seconds: number;
  /** Paths of training images that were left out. */
  readonly leftOut: readonly string[];
  /** Paths of those that are worth a look. */
  readonly doubtful: readonly string[];
}

export interface TestedEvaluation {
  readonly good: readonly number[];
  readonly defect: readonly number[];
  readonly falseAlarms: number;
  readonly escapes: number;
  /** Defects called by the number of their kind. */
  readonly named: number;
  readonly milliseconds: readonly number[];
  readonly stages: Readonly<Record<string, readonly number[]>>;
  readonly maps: readonly MaskedMap[];
  readonly boxes: readonly DetectedBox[];
}

const BOX_OVERLAP = 0.33;

function boxFigures(truth: readonly LabelledBox[], found: readonly DetectedBox[]) {
  const { mean, perClass } = meanAveragePrecision(truth, found, BOX_OVERLAP);
  return { map_iou33: mean, ap_per_class: perClass };
}

function dirtFigures(dirt: readonly string[], { leftOut, doubtful }: TrainedEvaluation) {
  const all = [...leftOut, ...doubtful];
  const named = all.filter((path) => dirt.includes(path)).length;
  return { dirt: { mixed_in: dirt.length, named, good_named: all.length - named } };
}

const labelFigures = ({ train }: EvaluationImages, { named, defect }: TestedEvaluation) => ({
  labelled: { defects: train.filter(({ good }) => !good).length, right_class: named / defect.length },
});

/** All figures of one training and test. */
export function evaluationReport(
  images: EvaluationImages,
  algorithm: string,
  params: ParameterValues,
  trained: TrainedEvaluation,
  tested: TestedEvaluation,
): EvaluationReport {
  const { good, defect, falseAlarms, escapes, milliseconds, stages } = tested;
  const scores = { good, defect };
  const pixels = pixelMetrics(tested.maps);
  return {
    dataset: images.name,
    algorithm,
    params,
    train_images: images.train.length,
    left_out: trained.leftOut.length,
    doubtful: trained.doubtful.length,
    test_good: good.length,
    test_defect: defect.length,
    image_auroc: imageAuroc(scores),
    image_ap: averagePrecision(scores),
    pixel_auroc: pixels.auroc,
    pixel_pro: pixels.pro,
    f1_max: f1Max(scores),
    at_threshold: { false_alarms: falseAlarms, escapes },
    train_seconds: trained.seconds,
    ms_per_image: { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95) },
    ms_stages: Object.fromEntries(Object.entries(stages).map(([name, values]) => [name, quantile(values, 0.5)])),
    peak_rss_mb: process.resourceUsage().maxRSS / 1024,
    model_mb: trained.model.length / 1e6,
    ...(images.dirt.length > 0 ? dirtFigures(images.dirt, trained) : {}),
    ...(images.kinds ? labelFigures(images, tested) : {}),
    ...(images.truth.length > 0 ? boxFigures(images.truth, tested.boxes) : {}),
  };
}
