import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { Model, ModelScores, PredictParameters, ScoredItem } from '../../../../src/client/shapes.ts';
import { scoresQuery } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { classNames } from '../../components/class-names.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Checkbox } from '../../components/field.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Thumbnail } from '../../components/thumbnail.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';
import { ParameterForm } from './parameter-form.tsx';
import { ScoreHistogram, type ScoreSeries } from './score-histogram.tsx';
import { type Confusion, percent, type Rates, ratesOf, thresholdEffect } from './threshold-effect.ts';

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
  // The line follows the pointer. The counts of thousands of scores may follow a frame later.
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
              <HistogramPanel
                scores={scores}
                threshold={threshold}
                saved={saved.threshold}
                onThreshold={setThreshold}
              />
            )}
          </Card>
          <AffectedItems title={t('escapesTitle')} items={effect.escapes} />
          <AffectedItems title={t('falseAlarmsTitle')} items={effect.falseAlarms} />
          <AffectedItems title={t('changesTitle')} items={effect.changes} />
        </div>
        <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
          <Card title={t('confusion')}>
            <ConfusionTable confusion={effect.computed} saved={before.computed} />
          </Card>
          <Card title={t('tabThreshold')} className="max-lg:order-2">
            <ParameterForm
              model={model}
              saved={saved}
              parameters={parameters}
              scores={scores}
              onChange={setParameters}
            />
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
      <ScoreHistogram series={series} threshold={threshold} saved={saved} onThreshold={onThreshold} />
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

const shownAtMost = 24;

/** Thumbnails with their scores; each opens its item. */
function AffectedItems({ title, items }: { title: string; items: readonly ScoredItem[] }) {
  const t = useText();
  return (
    <Card title={`${title} (${items.length})`} className="max-lg:order-1">
      {items.length === 0 ? (
        <p className="text-ink-soft">{t('noneHere')}</p>
      ) : (
        <ul className="flex gap-2 overflow-x-auto pb-2">
          {items.slice(0, shownAtMost).map((item) => (
            <li key={item.item_id} className="shrink-0">
              <Link
                to={`/items/${item.item_id}?type=prediction`}
                title={item.name}
                className="block w-24 overflow-hidden rounded-md border border-line"
              >
                <Thumbnail item={item} className="aspect-square" />
                <span className="block truncate px-1.5 pt-1 text-xs">{item.name}</span>
                <span className="block px-1.5 pb-1 text-xs font-semibold tabular-nums">{item.score.toFixed(3)}</span>
              </Link>
            </li>
          ))}
          {items.length > shownAtMost && (
            <li className="flex shrink-0 items-center px-3 text-ink-soft">
              {t('andMore', { n: items.length - shownAtMost })}
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}

/** The confusion matrix. Escapes and false alarms are marked, and compared with the saved threshold. */
function ConfusionTable({ confusion, saved }: { confusion: Confusion; saved: Confusion }) {
  const t = useText();
  return (
    <table className="w-full text-center" data-testid="confusion">
      <caption className="sr-only">{t('confusionCaption')}</caption>
      <thead className="text-[13px] text-ink-soft">
        <tr>
          <td />
          <th scope="col" className="p-1 font-medium">
            {t('saysOk')}
          </th>
          <th scope="col" className="p-1 font-medium">
            {t('saysNg')}
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row" className="p-1 text-left text-[13px] font-medium text-ink-soft">
            {t('isGood')}
          </th>
          <Cell count={confusion.passed} label={t('cellRight')} />
          <Cell count={confusion.falseAlarms} before={saved.falseAlarms} label={t('cellFalseAlarm')} tone="warn" />
        </tr>
        <tr>
          <th scope="row" className="p-1 text-left text-[13px] font-medium text-ink-soft">
            {t('isNg')}
          </th>
          <Cell count={confusion.escapes} before={saved.escapes} label={t('cellEscape')} tone="ng" />
          <Cell count={confusion.found} label={t('cellRight')} />
        </tr>
      </tbody>
    </table>
  );
}

interface CellProps {
  count: number;
  label: string;
  before?: number;
  tone?: 'warn' | 'ng';
}

function Cell({ count, label, before, tone }: CellProps) {
  const t = useText();
  const delta = before === undefined ? 0 : count - before;
  const bad = tone !== undefined && count > 0;
  return (
    <td
      className={classNames(
        'border border-line p-2',
        bad && tone === 'ng' && 'bg-ng-soft text-ng',
        bad && tone === 'warn' && 'bg-warn-soft text-warn',
      )}
    >
      <span className="block text-2xl font-semibold">
        {count}
        {delta !== 0 && (
          <span className="ml-1 text-sm" title={t('deltaToSaved', { delta: signed(delta) })}>
            {signed(delta)}
          </span>
        )}
      </span>
      <span className="block text-xs">{label}</span>
    </td>
  );
}

const signed = (value: number): string => (value > 0 ? `+${value}` : `−${-value}`);

const rows: readonly [keyof Rates, MessageKey][] = [
  ['falseAlarmRate', 'falseAlarmRate'],
  ['escapeRate', 'escapeRate'],
  ['precision', 'precision'],
  ['recall', 'recall'],
  ['accuracy', 'accuracy'],
];

/** The rates on held-out training images beside the rates on items that people judged. */
function RatesTable({ projected, computed }: { projected: Rates; computed: Rates }) {
  const t = useText();
  const title = (name: MessageKey, hint: MessageKey) => (
    <>
      {t(name)}
      <span className="block text-xs font-normal whitespace-normal">{t(hint)}</span>
    </>
  );
  return (
    <DataTable
      caption={t('projectedComputed')}
      columns={[
        { title: t('measure'), cell: ([, label]) => t(label) },
        { title: title('projected', 'projectedHint'), numeric: true, cell: ([key]) => percent(projected[key]) },
        { title: title('computed', 'computedHint'), numeric: true, cell: ([key]) => percent(computed[key]) },
      ]}
      rows={rows}
      rowKey={([key]) => key}
    />
  );
}
