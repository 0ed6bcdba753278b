import type { ImageFrame } from '../../components/extract-training-patches.ts';
import type { MapScorer } from '../../components/map-scorer.ts';
import type { PatchNetwork } from '../../components/patch-network.ts';
import type { PatchFeatures } from '../../features/patch-extractor.ts';
import { inspectMap } from '../../heatmaps/inspected-map.ts';
import { mapRegions } from '../../heatmaps/map-regions.ts';
import { NO_MARGINS } from '../../inspection/parse-ignore-outer.ts';
import type { RawPrediction, Region, ScoreMap } from '../../types.ts';
import { cellInputs } from './cell-inputs.ts';
import { type FoundDefect, findDefects, toOriginalRegion } from './find-defects.ts';

/** What is learned from a part of the images. */
export interface Judge {
  readonly scorer: MapScorer;
  readonly network: PatchNetwork;
}

/** What counts as 1 on the scale of raw scores. */
export interface Limits {
  readonly probability: number;
  readonly distance: number;
}

export interface JudgedImage {
  readonly defects: readonly FoundDefect[];
  /** Of every cell: the probability of its likeliest class. */
  readonly heat: ScoreMap;
  /** Of every cell: the distance from good patches. */
  readonly distances: ScoreMap;
}

/** Cells that go through the network at once, so that its working memory does not grow with the image. */
const CHUNK = 1024;

export async function judgeImage(features: PatchFeatures, frame: ImageFrame, judge: Judge): Promise<JudgedImage> {
  const { rows, columns } = features;
  const heat = new Float32Array(rows * columns);
  const parts: Float32Array[] = [];
  let width = 0;
  for (let start = 0; start < heat.length; start += CHUNK) {
    const cells = Uint32Array.from({ length: Math.min(CHUNK, heat.length - start) }, (_, i) => start + i);
    const outputs = await judge.network.probabilities(cellInputs(features, cells));
    width = outputs.columns;
    parts.push(outputs.data);
    for (let i = 0; i < cells.length; i++)
      for (let kind = 1; kind < width - 4; kind++)
        heat[start + i] = Math.max(heat[start + i]!, outputs.data[i * width + kind]!);
  }
  const data = new Float32Array(heat.length * width);
  parts.forEach((part, index) => {
    data.set(part, index * CHUNK * width);
  });
  const defects = findDefects({ rows: heat.length, columns: width, data }, features, frame);
  return { defects, heat: { rows, columns, data: heat }, distances: await judge.scorer.score(features) };
}

const touch = (a: Region, b: Region): boolean =>
  a.xMin < b.xMax && b.xMin < a.xMax && a.yMin < b.yMax && b.yMin < a.yMax;

/** Known defects with their class, and what is far from good but none of them, without one; 1 is the limit for both. */
export function describeImage(
  { defects, heat, distances }: JudgedImage,
  frame: ImageFrame,
  labels: readonly (number | null)[],
  limits: Limits,
): RawPrediction {
  const strange = { ...distances, data: distances.data.map((distance) => distance / limits.distance) };
  const known = defects.map((defect) =>
    toOriginalRegion(defect, frame, defect.probability / limits.probability, labels[defect.kind] ?? null),
  );
  const certain = known.filter(({ rawScore }) => rawScore >= 1);
  const unknown = mapRegions(inspectMap(strange, frame, NO_MARGINS), frame, 1, 0);
  const data = strange.data.map((value, cell) => Math.max(value, heat.data[cell]! / limits.probability));
  const regions = [...known, ...unknown.filter((region) => !certain.some((other) => touch(region, other)))];
  return { map: { ...strange, data }, regions: regions.sort((a, b) => b.rawScore - a.rawScore) };
}
