import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ModelAssessment } from '../../../../src/client/shapes.ts';
import { scoresQuery } from '../../api/queries.ts';
import { t } from '../../i18n/text.ts';
import { evidenceOf } from './evidence.ts';

/** Where the score lies among those of good images and of judged items, in place of a figure of confidence. */
export function ScoreEvidence({ assessment, itemId }: { assessment: ModelAssessment; itemId: string }) {
  // Thousands of scores: asked for once in a while, not for each item.
  const scores = useQuery({ ...scoresQuery(assessment.model_id), staleTime: 60_000, refetchInterval: false }).data;
  const score = Number(assessment.anomaly_score);
  const evidence = useMemo(() => scores && evidenceOf(scores, score, itemId), [scores, score, itemId]);
  if (!evidence || evidence.good === 0) return null;
  const { band, similar } = evidence;
  const limit = assessment.threshold ?? 0.5;
  const low = Math.max(0, Math.min(band[0], score, limit) - 0.03);
  const high = Math.min(1, Math.max(band[1], score, limit) + 0.03);
  const at = (value: number): string => `${(100 * (value - low)) / (high - low)}%`;
  const dot = assessment.result === 'OK' ? 'bg-ok' : 'bg-ng';
  const rank = t('evidenceRank', { below: evidence.below, good: evidence.good });
  return (
    <div className="flex flex-col gap-1 text-[13px]">
      <div role="img" aria-label={rank} className="relative mx-2 h-9">
        <span className="absolute inset-x-0 top-4 h-2 rounded bg-sunken" />
        <span
          className="absolute top-4 h-2 min-w-1 rounded bg-ok opacity-60"
          style={{ left: at(band[0]), right: `calc(100% - ${at(band[1])})` }}
        />
        <span className="absolute top-1.5 h-7 border-l-2 border-dashed border-ng" style={{ left: at(limit) }} />
        <span
          className={`absolute top-3 size-4 -translate-x-1/2 rounded-full border-2 border-surface ${dot}`}
          style={{ left: at(score) }}
        />
      </div>
      <p className="flex flex-wrap gap-x-3 text-xs text-ink-soft">
        <span className="inline-flex items-center gap-1">
          <span className="h-2 w-4 rounded bg-ok opacity-60" />
          {t('evidenceBand')}
        </span>
        <span className="inline-flex items-center gap-1">
          <span className="h-3 border-l-2 border-dashed border-ng" />
          {t('evidenceLimit')}
        </span>
        <span className="inline-flex items-center gap-1">
          <span className={`size-3 rounded-full ${dot}`} />
          {t('evidenceItem')}
        </span>
      </p>
      <p>{rank}</p>
      {similar && <p>{t('evidenceSimilar', { n: similar.items, ng: similar.ng })}</p>}
    </div>
  );
}
