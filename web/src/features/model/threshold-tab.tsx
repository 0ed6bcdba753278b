import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Model, ModelScores, PredictParameters } from '../../../../src/client/shapes.ts';
import { scoresQuery } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { Checkbox } from '../../components/field.tsx';
import { Loaded } from '../../components/loading.tsx';
import { useText } from '../../i18n/use-text.ts';
import { AffectedItems } from './affected-items.tsx';
import { ConfusionTable } from './confusion-table.tsx';
import { ParameterForm } from './parameter-form.tsx';
import { RatesTable } from './rates-table.tsx';
import { ScoreHistogram, type ScoreSeries } from './score-histogram.tsx';
import { ratesOf, thresholdEffect } from './threshold-effect.ts';

const defaults: PredictParameters = { threshold: 0.5, ignore_outer: 'none', min_detected_area: 0 };

export function ThresholdTab({ model }: { model: Model }) {
  const scores = useQuery(scoresQuery(model.model_id));
  return <Loaded query={scores}>{(data) => <ThresholdStudy model={model} scores={data} />}</Loaded>;
}

function ThresholdStudy({ model, scores }: { model: Model; scores: ModelScores }) {
  const t = useText();
  const saved = model.predict_parameters ?? defaults;
  const [parameters, setParameters] = useState(saved);
  const { threshold } = parameters;
  const setThreshold = (value: number) => setParameters((before) => ({ ...before, threshold: value }));
  // The line follows the pointer; counting thousands of scores may come a frame later.
  const settled = useDeferredValue(threshold);
  const effect = useMemo(
    () => thresholdEffect({ ...scores, threshold: saved.threshold }, settled),
    [scores, settled, saved.threshold],
  );
  const before = useMemo(() => thresholdEffect(scores, saved.threshold), [scores, saved.threshold]);
  const empty = scores.items.length + scores.held_out.good.length + scores.held_out.ng.length === 0;
  return (
    <div className="flex flex-col gap-4">
      <div className="grid items-start gap-4 max-lg:grid-cols-[minmax(0,1fr)] lg:grid-cols-[1fr_20rem]">
        <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
          <Card title={t('histogramTitle')}>
            {empty ? (
              <p className="text-ink-soft">{t('noScores')}</p>
            ) : (
              <HistogramPanel {...{ scores, threshold }} saved={saved.threshold} onThreshold={setThreshold} />
            )}
          </Card>
          <AffectedItems className="max-lg:order-1" title={t('escapesTitle')} items={effect.escapes} />
          <AffectedItems className="max-lg:order-1" title={t('falseAlarmsTitle')} items={effect.falseAlarms} />
          <AffectedItems className="max-lg:order-1" title={t('changesTitle')} items={effect.changes} />
        </div>
        <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
          <Card title={t('confusion')}>
            <ConfusionTable confusion={effect.computed} saved={before.computed} />
          </Card>
          <Card title={t('tabThreshold')} className="max-lg:order-2">
            <ParameterForm {...{ model, saved, parameters, scores }} onChange={setParameters} />
          </Card>
          <Card title={t('projectedComputed')} className="max-lg:order-2">
            <RatesTable projected={ratesOf(effect.projected)} computed={ratesOf(effect.computed)} />
          </Card>
        </div>
      </div>
    </div>
  );
}

interface HistogramPanelProps {
  scores: ModelScores;
  threshold: number;
  saved: number;
  onThreshold: (threshold: number) => void;
}

function HistogramPanel({ scores, threshold, saved, onThreshold }: HistogramPanelProps) {
  const t = useText();
  const [shown, setShown] = useState({ heldOut: true, judged: true, open: true });
  const series = useMemo((): ScoreSeries => {
    const judged = (verdict: string | null) =>
      scores.items.filter((item) => item.user_result === verdict).map((item) => item.score);
    return {
      good: [...(shown.heldOut ? scores.held_out.good : []), ...(shown.judged ? judged('OK') : [])],
      ng: [...(shown.heldOut ? scores.held_out.ng : []), ...(shown.judged ? judged('NG') : [])],
      open: shown.open ? judged(null) : [],
    };
  }, [scores, shown]);
  const toggle = (key: keyof typeof shown) => ({
    checked: shown[key],
    onChange: () => setShown({ ...shown, [key]: !shown[key] }),
  });
  return (
    <>
      <p className="mb-2 text-[13px] text-ink-soft">{t('histogramHint')}</p>
      <ScoreHistogram {...{ series, threshold, saved, onThreshold }} />
      <div className="mt-4 flex flex-wrap items-center gap-x-5 text-[13px]">
        <Legend className="bg-ok" text={`${t('legendGood')} ↑`} />
        <Legend className="bg-line-strong" text={`${t('legendOpen')} ↑`} />
        <Legend className="bg-ng" text={`${t('legendNg')} ↓`} />
      </div>
      <div className="mt-1 flex flex-wrap gap-x-5 text-[13px]">
        <Checkbox label={t('sourceHeldOut')} {...toggle('heldOut')} />
        <Checkbox label={t('sourceJudged')} {...toggle('judged')} />
        <Checkbox label={t('sourceOpen')} {...toggle('open')} />
      </div>
    </>
  );
}

function Legend({ className, text }: { className: string; text: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={`size-3 rounded-sm ${className}`} />
      {text}
    </span>
  );
}
