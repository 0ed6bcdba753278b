import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useDeferredValue, useMemo, useState } from 'react';
import type { Model, ModelScores, PredictParameters } from '../../../../src/client/shapes.ts';
import { modelsQuery, queryClient, scoresQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Checkbox } from '../../components/field.tsx';
import { Card, DataTable, Loaded } from '../../components/page.tsx';
import { createDrafts, useDraft } from '../../drafts.ts';
import { type MessageKey, percent, t } from '../../i18n/text.ts';
import { AffectedItems } from './affected-items.tsx';
import { Legend, scoreRange } from './chart.tsx';
import { ParameterForm } from './parameter-form.tsx';
import { ScoreHistogram } from './score-histogram.tsx';
import { type Confusion, type Rates, ratesOf, thresholdEffect } from './score-statistics.ts';
import { type ThresholdChoice, thresholdChoices, upperRate, type Wishes } from './threshold-choice.ts';
import { ThresholdChoices } from './threshold-choices.tsx';

const defaults: PredictParameters = { threshold: 0.5, ignore_outer: 'none', min_detected_area: 0 };

export function ThresholdTab({ model }: { model: Model }) {
  const scores = useQuery(scoresQuery(model.model_id));
  return <Loaded query={scores}>{(data) => <ThresholdStudy model={model} scores={data} />}</Loaded>;
}

const savedParameters = (model: Model): PredictParameters => model.predict_parameters ?? defaults;

const isSame = (one: PredictParameters, other: PredictParameters): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const drafts = createDrafts<PredictParameters>(
  () => (queryClient.getQueryData(modelsQuery().queryKey) ?? []).map((one) => [one.model_id, savedParameters(one)]),
  isSame,
);

function ThresholdStudy({ model, scores }: { model: Model; scores: ModelScores }) {
  const saved = savedParameters(model);
  const [draft, setParameters] = useDraft(drafts, model.model_id, saved);
  const parameters = draft ?? saved;
  const { threshold } = parameters;
  // The line follows the pointer. The counts of thousands of scores may follow a frame later.
  const settled = useDeferredValue(threshold);
  const known = useMemo(() => ({ ...scores, threshold: saved.threshold }), [scores, saved.threshold]);
  const effect = useMemo(() => thresholdEffect(known, settled), [known, settled]);
  const before = useMemo(() => thresholdEffect(known, known.threshold), [known]);
  const [wishes, setWishes] = useState<Wishes>({ falseAlarmRate: 0.01, escapeCost: 10 });
  const proposed = useMemo(() => thresholdChoices(known, wishes), [known, wishes]);
  const setThreshold = (value: number) => setParameters({ ...parameters, threshold: value });
  return (
    <div className="grid items-start gap-4 max-lg:grid-cols-[minmax(0,1fr)] lg:grid-cols-[1fr_20rem]">
      <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
        <HistogramCard scores={known} threshold={threshold} marks={proposed.choices} onThreshold={setThreshold} />
        <ThresholdChoices known={proposed} wishes={wishes} onWishes={setWishes} onThreshold={setThreshold} />
        <AffectedCard title={t('escapesTitle')} items={effect.escapes} modelId={model.model_id} threshold={threshold} />
        <AffectedCard
          title={t('falseAlarmsTitle')}
          items={effect.falseAlarms}
          modelId={model.model_id}
          threshold={threshold}
        />
        <AffectedCard title={t('changesTitle')} items={effect.changes} modelId={model.model_id} threshold={threshold} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
        <Card title={t('confusion')}>
          <ConfusionTable confusion={effect.computed} saved={before.computed} />
        </Card>
        <Card
          title={t('threshold')}
          aside={draft && <Badge tone="warn">{t('unsaved')}</Badge>}
          className="max-lg:order-2"
        >
          <ParameterForm
            model={model}
            saved={saved}
            parameters={parameters}
            itemIds={scores.items.map((item) => item.item_id)}
            onChange={setParameters}
          />
        </Card>
        <Card title={t('projectedComputed')} className="max-lg:order-2">
          <RatesTable projected={effect.projected} computed={effect.computed} />
        </Card>
      </div>
    </div>
  );
}

interface HistogramCardProps {
  scores: ModelScores;
  threshold: number;
  marks: readonly ThresholdChoice[];
  onThreshold: (threshold: number) => void;
}

function HistogramCard({ scores, threshold, marks, onThreshold }: HistogramCardProps) {
  const [shown, setShown] = useState({ heldOut: true, reviewed: true, open: true });
  const series = useMemo(() => {
    const { items, held_out: heldOut } = scores;
    const given = (verdict: string | null, use: boolean) =>
      items.filter((item) => use && item.user_result === verdict).map((item) => item.score);
    return {
      good: [...(shown.heldOut ? heldOut.good : []), ...given('OK', shown.reviewed)],
      ng: [...(shown.heldOut ? heldOut.ng : []), ...given('NG', shown.reviewed)],
      open: given(null, shown.open),
    };
  }, [scores, shown]);
  const range = useMemo(() => {
    const { items, held_out: heldOut, threshold: saved } = scores;
    return scoreRange([...items.map((item) => item.score), ...heldOut.good, ...heldOut.ng, saved]);
  }, [scores]);
  const toggle = (key: keyof typeof shown) => ({
    checked: shown[key],
    onChange: () => setShown({ ...shown, [key]: !shown[key] }),
  });
  if (scores.items.length + scores.held_out.good.length + scores.held_out.ng.length === 0) {
    return (
      <Card title={t('histogramTitle')}>
        <p className="text-ink-soft">{t('noScores')}</p>
      </Card>
    );
  }
  return (
    <Card title={t('histogramTitle')}>
      <p className="mb-2 text-[13px] text-ink-soft">{t('histogramHint')}</p>
      <ScoreHistogram
        series={series}
        threshold={threshold}
        saved={scores.threshold}
        marks={marks}
        range={range}
        onThreshold={onThreshold}
      />
      <Legend
        className="mt-4"
        entries={[
          [`${t('legendGood')} ↑`, 'size-3 rounded-sm bg-ok'],
          [`${t('legendOpen')} ↑`, 'size-3 rounded-sm bg-line-strong'],
          [`${t('markNg')} ↓`, 'size-3 rounded-sm bg-ng'],
        ]}
      />
      <div className="mt-1 flex flex-wrap gap-x-5 text-[13px]">
        <Checkbox label={t('sourceHeldOut')} {...toggle('heldOut')} />
        <Checkbox label={t('sourceReviewed')} {...toggle('reviewed')} />
        <Checkbox label={t('sourceOpen')} {...toggle('open')} />
      </div>
    </Card>
  );
}

interface AffectedCardProps extends ComponentProps<typeof AffectedItems> {
  title: string;
}

function AffectedCard({ title, ...affected }: AffectedCardProps) {
  const { items } = affected;
  return (
    <Card title={`${title} (${items.length})`} className="max-lg:order-1">
      {items.length === 0 && <p className="text-ink-soft">{t('noneHere')}</p>}
      <AffectedItems {...affected} />
    </Card>
  );
}

/** The confusion matrix. Escapes and false alarms are marked, and compared with the saved threshold. */
function ConfusionTable({ confusion, saved }: { confusion: Confusion; saved: Confusion }) {
  const cell = (kind: keyof Confusion, text: MessageKey, bad = '') => {
    const count = confusion[kind];
    const change = bad ? count - saved[kind] : 0;
    const delta = change > 0 ? `+${change}` : `−${-change}`;
    return (
      <div className={`min-w-18 rounded border border-line p-2 text-center ${count > 0 ? bad : ''}`}>
        <span className="block text-2xl font-semibold">
          {count}
          {change !== 0 && (
            <span className="ml-1 text-sm" title={t('deltaToSaved', { delta })}>
              {delta}
            </span>
          )}
        </span>
        <span className="block text-xs">{t(text)}</span>
      </div>
    );
  };
  const escapes = cell('escapes', 'cellEscape', 'bg-ng-soft text-ng');
  const falseAlarms = cell('falseAlarms', 'cellFalseAlarm', 'bg-warn-soft text-warn');
  return (
    <div data-testid="confusion">
      <DataTable
        caption={t('confusionCaption')}
        rows={['isGood', 'isNg'] as const}
        rowKey={(row) => row}
        columns={[
          { title: t('person'), cell: (row) => t(row) },
          { title: t('saysOk'), cell: (row) => (row === 'isGood' ? cell('passed', 'cellRight') : escapes) },
          { title: t('saysNg'), cell: (row) => (row === 'isGood' ? falseAlarms : cell('found', 'cellRight')) },
        ]}
      />
    </div>
  );
}

const rates: readonly (keyof Rates)[] = ['falseAlarmRate', 'escapeRate', 'precision', 'recall', 'accuracy'];

/** The rates on held-out training images beside the rates on items that people reviewed. */
function RatesTable({ projected, computed }: { projected: Confusion; computed: Confusion }) {
  const [projectedRates, computedRates] = [ratesOf(projected), ratesOf(computed)];

  const title = (name: MessageKey, hint: MessageKey) => (
    <>
      {t(name)}
      <span className="block text-xs font-normal whitespace-normal">{t(hint)}</span>
    </>
  );
  return (
    <DataTable
      caption={t('projectedComputed')}
      rows={rates}
      rowKey={(rate) => rate}
      columns={[
        { title: t('measure'), cell: (rate) => <span className="whitespace-nowrap">{t(rate)}</span> },
        {
          title: title('projected', 'projectedHint'),
          numeric: true,
          cell: (rate) => <Rate rates={projectedRates} rate={rate} confusion={projected} />,
        },
        {
          title: title('computed', 'computedHint'),
          numeric: true,
          cell: (rate) => <Rate rates={computedRates} rate={rate} confusion={computed} />,
        },
      ]}
    />
  );
}

/** A rate. That of an error says how high it may be after so few images. */
function Rate({ rates, rate, confusion }: { rates: Rates; rate: keyof Rates; confusion: Confusion }) {
  const { escapes, found, falseAlarms, passed } = confusion;
  const counted: Partial<Record<keyof Rates, readonly [count: number, of: number]>> = {
    falseAlarmRate: [falseAlarms, falseAlarms + passed],
    escapeRate: [escapes, escapes + found],
  };
  const [count, of] = counted[rate] ?? [0, 0];
  return (
    <>
      {percent(rates[rate])}
      {of > 0 && (
        <span className="block text-xs break-keep whitespace-normal text-ink-soft">
          {t('upTo', { count, of, rate: percent(upperRate(count, of)) })}
        </span>
      )}
    </>
  );
}
