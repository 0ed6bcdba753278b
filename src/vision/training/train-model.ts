import { backboneDigest } from '../backbone/backbone-digest.ts';
import { say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
import type { ModelFile } from '../model-file/model-file.ts';
import type { Calibration } from '../types.ts';
import type { FitInput, FitResult } from './fit-input.ts';
import { dropCopies, noteRemarks, outlierRemarks } from './training-remarks.ts';

/** What a model is expected to do, by scores of training images that it had not seen. */
export interface ProjectedStatistics {
  readonly good: number;
  readonly defect: number;
  readonly falseAlarms: number;
  readonly escapes: number;
  /** Share of right verdicts, 0 to 1. */
  readonly accuracy: number;
  /** Share of NG verdicts that are right; null where no NG verdict is expected. */
  readonly precision: number | null;
  /** Share of defects that are found; null without NG images in training. */
  readonly recall: number | null;
}

/** The part of an algorithm that training needs. */
export interface Trainable {
  readonly id: string;
  readonly version: string;
  fit(input: FitInput): Promise<FitResult>;
}

export interface TrainOptions extends FitInput {
  readonly algorithm: Trainable;
  /** Steps that the samples were prepared with, kept in the model. Absent: none. */
  readonly preprocessing?: ModelFile['preprocessing'];
}

export interface TrainedModel extends ModelFile {
  readonly statistics: ProjectedStatistics;
  readonly outliers: readonly string[];
  readonly doubtful: readonly string[];
  readonly remarks: readonly Message[];
}

/** Verdicts at the calibrated threshold, counted over held-out scores. */
export function projectStatistics({ rawThreshold, goodScores, defectScores }: Calibration): ProjectedStatistics {
  const falseAlarms = goodScores.filter((score) => score >= rawThreshold).length;
  const escapes = defectScores.filter((score) => score < rawThreshold).length;
  const [good, defect] = [goodScores.length, defectScores.length];
  const found = defect - escapes;
  return {
    good,
    defect,
    falseAlarms,
    escapes,
    accuracy: good + defect === 0 ? 0 : (good - falseAlarms + found) / (good + defect),
    precision: defect === 0 || found + falseAlarms === 0 ? null : found / (found + falseAlarms),
    recall: defect === 0 ? null : found / defect,
  };
}

/**
 * Fits the algorithm, calibrates it, and puts together what a model file holds.
 * @throws VisionError `too_few_images`, `invalid_backbone`, `cancelled`, and what the samples' `load` throws
 */
export async function trainModel(options: TrainOptions): Promise<TrainedModel> {
  const { algorithm, preprocessing, ...input } = options;
  const distinct = dropCopies(input.samples);
  const { samples, summary } = noteRemarks(distinct.samples);
  const { payload, calibration, outliers, doubtful, remarks } = await algorithm.fit({ ...input, samples });
  input.report({ fraction: 1, doing: say('progress.done') });
  return {
    algorithmId: algorithm.id,
    algorithmVersion: algorithm.version,
    params: input.params,
    backbone: { id: input.backbone.id, sha256: backboneDigest(input.backbone) },
    preprocessing: preprocessing ?? { steps: [], references: {} },
    calibration,
    payload,
    statistics: projectStatistics(calibration),
    outliers,
    doubtful,
    remarks: [...remarks, ...distinct.remarks, ...summary(), ...outlierRemarks(outliers, doubtful)],
  };
}
