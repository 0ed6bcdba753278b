import { anomalyScore } from '../../vision/training/thresholds.ts';
import type { Calibration } from '../../vision/types.ts';
import type { SignedUrls } from '../files/signed-urls.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { ScoresStore } from './scores.store.ts';

export type ScoresService = ReturnType<typeof createScoresService>;

export function createScoresService(dependencies: { store: ScoresStore; models: ModelsService; urls: SignedUrls }) {
  const { store, models, urls } = dependencies;
  return {
    /** All scores that a threshold of this model decides on, for a histogram and for trying other thresholds. */
    async getScores(modelId: string, limit: number) {
      const model = await models.requireModel(modelId);
      const [rows, total] = await Promise.all([
        store.listScores(model.model_id, limit),
        store.countScores(model.model_id),
      ]);
      return {
        threshold: model.threshold,
        held_out: heldOut(model.calibration),
        items: rows.map((row) => ({
          item_id: row.item_id,
          name: row.name,
          score: Number(row.anomaly_score),
          result: row.result,
          user_result: row.user_result,
          thumbnail_url: row.blob === null ? null : urls.sign('thumbnail', row.blob, 'webp'),
        })),
        total,
      };
    },
  };
}

function heldOut(calibration: string | null): { good: number[]; ng: number[] } {
  if (calibration === null) return { good: [], ng: [] };
  const { rawThreshold, goodScores, defectScores } = JSON.parse(calibration) as Calibration;
  const score = (raw: number): number => anomalyScore(raw, rawThreshold);
  return { good: goodScores.map(score), ng: defectScores.map(score) };
}
