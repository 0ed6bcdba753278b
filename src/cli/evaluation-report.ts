import { pixelMetrics } from '../vision/evaluation/pixel-metrics.ts';
import { averagePrecision, f1Max, imageAuroc } from '../vision/evaluation/ranking-metrics.ts';
import type { ImageVerdict } from '../vision/inspection/open-inspector.ts';
import { quantile } from '../vision/math/quantile.ts';
import type { ParameterValues } from '../vision/types.ts';
import type { Dataset, Mask, TestImage } from './dataset-folder.ts';

export interface TrainedEvaluation {
  readonly model: Uint8Array;
  readonly seconds: number;
  /** Paths of training images that were dropped as outliers. */
  readonly outliers: readonly string[];
  /** Paths of training images that are worth a look. */
  readonly doubtful: readonly string[];
}

export interface TestedImage {
  readonly image: TestImage;
  readonly mask: Mask | undefined;
  readonly verdict: Pick<ImageVerdict, 'rawScore' | 'label' | 'regions' | 'map' | 'width' | 'height' | 'stages'>;
  /** Whether it is called defective. */
  readonly isNg: boolean;
  readonly milliseconds: number;
}

/** What `kensa evaluate --json` prints of one training and test. A figure that cannot be computed is null. */
export function evaluationReport(
  dataset: Dataset,
  algorithm: string,
  params: ParameterValues,
  trained: TrainedEvaluation,
  tested: readonly TestedImage[],
) {
  const good = tested.filter(({ image }) => image.good);
  const defects = tested.filter(({ image }) => !image.good);
  const scoreOf = ({ verdict }: TestedImage): number => verdict.rawScore;
  const scores = { good: good.map(scoreOf), defect: defects.map(scoreOf) };
  const milliseconds = tested.map((image) => image.milliseconds);
  const stages = Object.keys(tested[0]?.verdict.stages ?? {});
  const medianOf = (stage: string): number => {
    const durations = tested.flatMap(({ verdict }) => verdict.stages?.[stage] ?? []);
    return quantile(durations, 0.5);
  };
  const pixels = pixelMetrics(
    tested.flatMap(({ image, mask, verdict: { map, width, height } }) => {
      if (mask) return [{ map, ...mask }];
      return image.good ? [{ map, width, height }] : [];
    }),
  );
  const { kinds } = dataset;
  const rightClass = defects.filter(({ image, verdict }) => verdict.label === (kinds ?? []).indexOf(image.kind) + 1);
  const labelled = {
    defects: dataset.train.filter((image) => !image.good).length,
    right_class: rightClass.length / defects.length,
  };
  return {
    dataset: dataset.name,
    algorithm,
    params,
    train_images: dataset.train.length,
    left_out: trained.outliers.length,
    doubtful: trained.doubtful.length,
    test_good: good.length,
    test_defect: defects.length,
    image_auroc: imageAuroc(scores),
    image_ap: averagePrecision(scores),
    pixel_auroc: pixels.auroc,
    pixel_pro: pixels.pro,
    f1_max: f1Max(scores),
    at_threshold: {
      false_alarms: good.filter(({ isNg }) => isNg).length,
      escapes: defects.filter(({ isNg }) => !isNg).length,
    },
    train_seconds: trained.seconds,
    /** From file bytes to verdict and regions; no heatmap is drawn. */
    ms_per_image: { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95) },
    /** Medians. */
    ms_stages: Object.fromEntries(stages.map((stage) => [stage, medianOf(stage)])),
    peak_rss_mb: process.resourceUsage().maxRSS / 1024,
    model_mb: trained.model.length / 1e6,
    /** The labelled defects, and the share of the test's defects that got the number of their kind. */
    ...(kinds ? { labelled } : {}),
  };
}

export type EvaluationReport = ReturnType<typeof evaluationReport>;
