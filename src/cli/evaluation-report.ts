import type { MaskedMap } from '../vision/evaluation/pixel-metrics.ts';
import { pixelMetrics } from '../vision/evaluation/pixel-metrics.ts';
import { averagePrecision, f1Max, imageAuroc } from '../vision/evaluation/ranking-metrics.ts';
import { quantile } from '../vision/math/quantile.ts';
import type { ParameterValues } from '../vision/types.ts';
import type { Dataset } from './dataset-folder.ts';

/** What `kensa evaluate --json` prints. A figure that cannot be computed is null. */
export interface EvaluationReport {
  readonly dataset: string;
  readonly algorithm: string;
  readonly params: ParameterValues;
  readonly train_images: number;
  /** Training images that the algorithm dropped as outliers. */
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
  /** With labelled defects: their number, and the share of the test's defects that got the number of their kind. */
  readonly labelled?: { readonly defects: number; readonly right_class: number };
}

export interface TrainedEvaluation {
  readonly model: Uint8Array;
  readonly seconds: number;
  /** Paths of training images that were dropped as outliers. */
  readonly outliers: readonly string[];
  /** Paths of training images that are worth a look. */
  readonly doubtful: readonly string[];
}

export interface TestedEvaluation {
  /** Raw scores of good and of defective images. */
  readonly good: number[];
  readonly defect: number[];
  falseAlarms: number;
  escapes: number;
  /** Defects that got the number of their kind. */
  rightClass: number;
  readonly milliseconds: number[];
  readonly stages: Record<string, number[]>;
  readonly maps: MaskedMap[];
}

/** Computes all figures of one training and test. */
export function evaluationReport(
  dataset: Dataset,
  algorithm: string,
  params: ParameterValues,
  trained: TrainedEvaluation,
  tested: TestedEvaluation,
): EvaluationReport {
  const { good, defect, falseAlarms, escapes, milliseconds, stages } = tested;
  const scores = { good, defect };
  const pixels = pixelMetrics(tested.maps);
  const labelledDefects = dataset.train.filter((image) => !image.good).length;
  const labelled = { defects: labelledDefects, right_class: tested.rightClass / defect.length };
  return {
    dataset: dataset.name,
    algorithm,
    params,
    train_images: dataset.train.length,
    left_out: trained.outliers.length,
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
    ...(dataset.kinds ? { labelled } : {}),
  };
}
