import { inspectMap, NO_MARGINS } from '../../anomaly-map/inspected-map.ts';
import { mapRegions } from '../../anomaly-map/map-regions.ts';
import type { PatchFeatures } from '../../backbone/patch-extractor.ts';
import type { CorrectedScores } from '../../corrections/corrected-scorer.ts';
import { affineArea } from '../../math/affine.ts';
import { transformRectangle } from '../../math/rectangle.ts';
import { resizeMap } from '../../math/resize-map.ts';
import type { ImageFrame, PreparedImage, RawPrediction, Rectangle, Region } from '../../types.ts';
import { cellsInRegion, toPreparedRegions } from '../supervised/labelled-regions.ts';
import type { DefectDetectorState } from './model.ts';
import { decodeBoxes, defectProbabilities } from './network-cells.ts';

/** The whole pixels of the original image around a box of the prepared one, and the box's area. */
function toOriginal(box: Rectangle, frame: ImageFrame): Rectangle & Pick<Region, 'area'> {
  const { originalWidth, originalHeight } = frame;
  const found = transformRectangle(box, frame.toOriginal);
  const xMin = Math.min(Math.max(Math.floor(found.xMin), 0), originalWidth - 1);
  const yMin = Math.min(Math.max(Math.floor(found.yMin), 0), originalHeight - 1);
  return {
    xMin,
    yMin,
    xMax: Math.min(Math.max(Math.ceil(found.xMax), xMin + 1), originalWidth),
    yMax: Math.min(Math.max(Math.ceil(found.yMax), yMin + 1), originalHeight),
    area: (box.xMax - box.xMin) * (box.yMax - box.yMin) * affineArea(frame.toOriginal),
  };
}

const labelled = (label: number | null | undefined) => (typeof label === 'number' ? { label } : {});

const overlap = (a: Region, b: Region): boolean =>
  a.xMin < b.xMax && b.xMin < a.xMax && a.yMin < b.yMax && b.yMin < a.yMax;

/**
 * Class of the missed defect that raised the region's highest score; null: one without a class, undefined: no missed
 * defect raised it.
 */
function missedLabelOf(region: Region, scores: CorrectedScores, frame: PreparedImage): number | null | undefined {
  const { map, labels } = scores;
  if (!labels) return undefined;
  const { width, height } = frame.image;
  const [prepared] = toPreparedRegions([{ ...region, label: null }], frame);
  const cells = prepared ? cellsInRegion(prepared, { rows: map.rows, columns: map.columns, width, height }) : [];
  const [first] = cells;
  if (first === undefined) return undefined;
  return labels[cells.reduce((best, cell) => (map.data[cell]! > map.data[best]! ? cell : best), first)];
}

/**
 * Adds regions without a known class, except where they overlap a known region above the threshold. There, a region that
 * resembles a missed defect gives the known region its score and class.
 */
function joinRegions(
  known: readonly Region[],
  unknown: readonly Region[],
  labelOf: (region: Region) => number | null | undefined,
): Region[] {
  const joined = [...known];
  for (const region of unknown) {
    const missedLabel = labelOf(region);
    const [best] = [...known.keys()]
      .filter((index) => joined[index]!.rawScore >= 1 && overlap(region, joined[index]!))
      .sort((a, b) => joined[b]!.rawScore - joined[a]!.rawScore);
    if (best === undefined) joined.push({ ...region, ...labelled(missedLabel) });
    else if (missedLabel !== undefined && region.rawScore > joined[best]!.rawScore)
      joined[best] = { ...joined[best]!, rawScore: region.rawScore, ...labelled(missedLabel) };
  }
  return joined;
}

/**
 * Defects of known classes by the network, and anomalies of no known class by distances. Raw scores are parts of the
 * thresholds, so that 1 is the threshold of both.
 */
export function describeImage(
  cells: PatchFeatures,
  scores: CorrectedScores,
  frame: PreparedImage,
  { labels, limits }: Pick<DefectDetectorState, 'labels' | 'limits'>,
): RawPrediction {
  const known = decodeBoxes(cells, frame).map(
    (box): Region => ({
      ...toOriginal(box, frame),
      rawScore: box.probability / limits.probability,
      ...labelled(labels[box.labelIndex]),
    }),
  );
  const unknown = mapRegions(inspectMap(scores.map, frame, NO_MARGINS), frame, 1);
  const regions = joinRegions(known, unknown, (region) => missedLabelOf(region, scores, frame));
  const probabilities = defectProbabilities(cells);
  const map = resizeMap(scores.map, probabilities.rows, probabilities.columns);
  map.data.forEach((value, cell) => {
    map.data[cell] = Math.max(value, probabilities.data[cell]! / limits.probability);
  });
  return { map, regions: regions.sort((a, b) => b.rawScore - a.rawScore) };
}
