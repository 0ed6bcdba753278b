import { describe, expect, it } from 'vitest';
import { type AssessedImage, assessItem } from './assessment.store.ts';

const region = { xMin: 1, xMax: 5, yMin: 2, yMax: 4, area: 8, rawScore: 1.2, anomalyScore: 0.55 };

function image(position: number, rawScore: number, isNg: boolean): AssessedImage {
  return {
    position,
    blob: 'p',
    verdict: {
      ...{ width: 9, height: 9, rawScore, anomalyScore: rawScore / (rawScore + 1), label: null },
      ...{ result: isNg ? 'NG' : 'OK', regions: isNg ? [region] : [], detectionAccuracy: 60 + position },
      anomalyMap: Uint8Array.of(position),
    },
    durationMs: 10,
  };
}

const assess = (images: AssessedImage[]) =>
  assessItem({ itemId: 'i', modelId: 'm' }, images, String, { threshold: 0.5, predictedAt: 'now' }).assessment;

describe('an item of several images', () => {
  it('is NG where one image is, and has the score of the one that stands out most', () => {
    expect(assess([image(0, 0.2, false), image(1, 1.5, true), image(2, 0.4, false)])).toMatchObject({
      ...{ result: 'NG', anomaly_score: '0.600000', raw_score: 1.5, detected_objects: 1, duration_ms: 30 },
    });
  });

  it('has the highest score also where the regions of that image are too small to count', () => {
    expect(assess([image(0, 3, false), image(1, 1.5, true)])).toMatchObject({
      ...{ result: 'NG', label: 'defect', anomaly_score: '0.750000', raw_score: 3, detection_accuracy: 61 },
    });
  });
});
