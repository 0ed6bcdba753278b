import { inspectionOf } from '../../anomaly-map/inspected-map.ts';
import type { MapScorer } from '../../anomaly-map/map-scorer.ts';
import type { PatchExtractor, PatchFeatures } from '../../backbone/patch-extractor.ts';
import { type Matrix, takeRows } from '../../math/matrix.ts';
import { FEATURE_MAP_BYTES } from '../../training/extract-training-patches.ts';
import type { FitInput } from '../../training/fit-input.ts';
import { packFeatures, type TrainingPatches } from '../../training/training-patches.ts';
import type { PreparedImage, TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { cellsInRegion, toPreparedRegions } from '../supervised/labelled-regions.ts';
import { defectCells } from './patch-classifier.ts';

/** An NG image with its defective patches by class. */
export interface DefectImage extends Pick<TrainingPatches, 'sample' | 'featureMap' | 'inspection'> {
  readonly parts: readonly { readonly label: number | null; readonly patches: Matrix }[];
}

/** The patches inside the annotated rectangles; without any, the most anomalous ones, of no class. */
async function defectiveParts(
  { patches, rows, columns }: PatchFeatures,
  sample: TrainingSample,
  prepared: PreparedImage,
  scorer: MapScorer,
): Promise<DefectImage['parts']> {
  if (sample.regions.length === 0) {
    const cells = defectCells(await scorer.score({ patches, rows, columns }));
    return [{ label: null, patches: takeRows(patches, Uint32Array.from(cells)) }];
  }
  const grid = { rows, columns, width: prepared.image.width, height: prepared.image.height };
  return toPreparedRegions(sample.regions, prepared).map((region) => ({
    label: region.label,
    patches: takeRows(patches, Uint32Array.from(cellsInRegion(region, grid))),
  }));
}

/** The NG samples' patches. @throws VisionError `cancelled`, and what the samples' `load` throws */
export async function collectDefects(
  { samples, signal }: FitInput,
  extractor: PatchExtractor,
  scorer: MapScorer,
): Promise<DefectImage[]> {
  const found: DefectImage[] = [];
  let budget = FEATURE_MAP_BYTES;
  for (const sample of samples.filter(({ good }) => !good)) {
    throwIfCancelled(signal);
    const prepared = await sample.load();
    const features = await extractor.extract(prepared.image);
    const parts = await defectiveParts(features, sample, prepared, scorer);
    const featureMap = packFeatures(features);
    budget -= featureMap.steps.byteLength;
    found.push({ sample, parts, ...(budget > 0 ? { featureMap, inspection: inspectionOf(features, prepared) } : {}) });
  }
  return found;
}

/** Classes in ascending order, NG without a number last, and the patches of each. */
export function groupByLabel(images: readonly DefectImage[]): Map<number | null, Matrix[]> {
  const groups = new Map<number | null, Matrix[]>();
  const parts = images.flatMap((image) => image.parts).filter(({ patches }) => patches.rows > 0);
  const rank = (label: number | null): number => label ?? Number.POSITIVE_INFINITY;
  for (const { label } of parts.toSorted((a, b) => (rank(a.label) < rank(b.label) ? -1 : 1))) groups.set(label, []);
  for (const { label, patches } of parts) groups.get(label)?.push(patches);
  return groups;
}
