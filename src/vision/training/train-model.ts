import { backboneDigest } from '../backbone/open-backbone.ts';
import { listNames, listSamples, say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
import type { ModelFile } from '../model-file/model-file.ts';
import type { Calibration, NamedSample, PreparedImage, TrainingSample } from '../types.ts';
import type { FitInput, FitResult } from './fit-input.ts';

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

export interface TrainOptions extends FitInput {
  readonly algorithm: { readonly id: string; readonly version: string; fit(input: FitInput): Promise<FitResult> };
  /** Steps that the samples were prepared with, kept in the model. Absent: none. */
  readonly preprocessing?: ModelFile['preprocessing'];
}

export interface TrainedModel extends ModelFile, Pick<FitResult, 'outliers' | 'doubtful' | 'remarks'> {
  readonly statistics: ProjectedStatistics;
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

/** Samples that note the remarks of their preprocessing. */
export function noteRemarks(samples: readonly TrainingSample[]) {
  const noted = new Map<TrainingSample, readonly Message[]>();
  const load = async (sample: TrainingSample): Promise<PreparedImage> => {
    const prepared = await sample.load();
    if (prepared.remarks) noted.set(sample, prepared.remarks);
    return prepared;
  };
  return {
    samples: samples.map((sample): TrainingSample => ({ ...sample, load: () => load(sample) })),
    /** One remark on all images that were loaded, with the first of them as the example. */
    summary(): Message[] {
      const first = samples.find((sample) => noted.has(sample));
      if (!first) return [];
      const values = { failed: noted.size, total: samples.length, name: first.name, reason: noted.get(first) ?? [] };
      return [say('remark.preprocessing', values)];
    },
  };
}

export function outlierRemarks(outliers: readonly NamedSample[], doubtful: readonly NamedSample[]): Message[] {
  const remarks: Message[] = [];
  if (outliers.length > 0) remarks.push(say('remark.outliers', listSamples(outliers)));
  if (doubtful.length > 0) remarks.push(say('remark.doubtful', listSamples(doubtful)));
  return remarks;
}

/**
 * The samples without good ones whose file was there before: copies that vouch for one another make a wrong threshold.
 * NG samples stay, as each may have rectangles of its own.
 */
export function dropCopies(all: readonly TrainingSample[]) {
  const firstGood = new Map<string, TrainingSample>();
  const copies = new Set<TrainingSample>();
  for (const sample of all) {
    if (!sample.good || sample.content === undefined) continue;
    if (firstGood.has(sample.content)) copies.add(sample);
    else firstGood.set(sample.content, sample);
  }
  const twins = all.flatMap(({ good, name, content = '' }) => {
    const twin = good ? undefined : firstGood.get(content);
    return twin ? [say('remark.contradiction', { good: twin.name, defect: name })] : [];
  });
  const remarks: Message[] = [];
  if (copies.size > 0) remarks.push(say('remark.copies', listSamples([...copies])));
  if (twins.length > 0) remarks.push(say('remark.contradictions', { names: listNames(twins) }));
  return { samples: all.filter((sample) => !copies.has(sample)), remarks };
}
