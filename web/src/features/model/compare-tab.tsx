import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { Model, ModelScores } from '../../../../src/client/shapes.ts';
import { modelsQuery, scoresQuery } from '../../api/queries.ts';
import { VerdictBadge } from '../../components/badge.tsx';
import { ActionButton } from '../../components/button.tsx';
import { Card, EmptyNote, Figure } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { SelectField } from '../../components/field.tsx';
import { Loaded } from '../../components/loading.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';
import { usePredict } from '../items/use-predict.ts';
import { compareScores, type ScorePair } from './compare-scores.ts';
import { ScoreScatter } from './score-scatter.tsx';
import { type Confusion, verdictAt } from './threshold-effect.ts';
import { useModelLabel } from './use-model-label.ts';

export function CompareTab({ model }: { model: Model }) {
  const t = useText();
  const models = useQuery(modelsQuery());
  const labelOf = useModelLabel();
  const [otherId, setOtherId] = useState('');
  const others = models.data?.filter((one) => one.status === 'ready' && one.model_id !== model.model_id) ?? [];
  const other = others.find((one) => one.model_id === otherId) ?? others[0];
  if (models.data && !other) return <EmptyNote title={t('onlyOneModel')} />;
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label={t('compareWith')}
        className="max-w-sm"
        value={other?.model_id ?? ''}
        options={others.map((one) => [one.model_id, labelOf(one)])}
        onChange={setOtherId}
      />
      {other && <Comparison model={model} other={other} />}
    </div>
  );
}

function Comparison({ model, other }: { model: Model; other: Model }) {
  const t = useText();
  const [inspecting, setInspecting] = useState(false);
  const refetchInterval = inspecting ? 2_000 : 15_000;
  const scores = useQuery({ ...scoresQuery(model.model_id), refetchInterval });
  const otherScores = useQuery({ ...scoresQuery(other.model_id), refetchInterval });
  const count = (data: ModelScores | undefined): number => data?.items.length ?? 0;
  const complete = count(scores.data) === count(otherScores.data);
  useEffect(() => {
    if (complete) setInspecting(false);
  }, [complete]);
  const onInspect = () => setInspecting(true);
  if (scores.data && complete && count(scores.data) === 0) return <EmptyNote title={t('noScores')} />;
  return (
    <Loaded query={scores}>
      {(one) => (
        <Loaded query={otherScores}>
          {(two) => <ComparedScores model={model} other={other} one={one} two={two} onInspect={onInspect} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface ComparedProps {
  model: Model;
  other: Model;
  one: ModelScores;
  two: ModelScores;
  /** Items are queued; their scores come soon. */
  onInspect: () => void;
}

function ComparedScores({ model, other, one, two, onInspect }: ComparedProps) {
  const t = useText();
  const labelOf = useModelLabel();
  const { pairs, differing, missing, confusions } = useMemo(() => compareScores(one, two), [one, two]);
  return (
    <>
      <MissingItems ids={missing[0]} model={model} onInspect={onInspect} />
      <MissingItems ids={missing[1]} model={other} onInspect={onInspect} />
      {pairs.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
          <Card title={t('compareScores')}>
            <ScoreScatter
              pairs={pairs}
              names={[labelOf(model), labelOf(other)]}
              thresholds={[one.threshold, two.threshold]}
            />
            <VerdictLegend />
          </Card>
          <Card title={t('compareItems', { n: pairs.length })}>
            <dl className="mb-4 grid grid-cols-2 gap-4">
              <Figure label={t('sameVerdict')} value={pairs.length - differing.length} />
              <Figure label={t('differentVerdict')} value={differing.length} />
            </dl>
            <ConfusionRows models={[model, other]} confusions={confusions} />
          </Card>
        </div>
      )}
      {differing.length > 0 && <DifferingItems pairs={differing} model={model} other={other} one={one} two={two} />}
    </>
  );
}

interface MissingItemsProps {
  /** Items that the other model has inspected and this one has not. */
  ids: readonly string[];
  model: Model;
  onInspect: () => void;
}

function MissingItems({ ids, model, onInspect }: MissingItemsProps) {
  const t = useText();
  const name = useModelLabel()(model);
  const predict = usePredict();
  if (ids.length === 0) return null;
  return (
    <Card>
      <p className="flex flex-wrap items-center gap-2">
        {t('compareMissing', { n: ids.length, name })}
        <ActionButton size="small" action={() => predict(model.model_id, ids).then(onInspect)}>
          {t('inspectMissing', { name })}
        </ActionButton>
      </p>
    </Card>
  );
}

const legend: readonly [MessageKey, string][] = [
  ['legendGood', 'size-3 rounded-full border-2 border-ok'],
  ['legendNg', 'size-2.5 rotate-45 bg-ng'],
  ['legendOpen', 'size-2 rounded-full bg-ink-soft'],
];

function VerdictLegend() {
  const t = useText();
  return (
    <p className="mt-2 flex flex-wrap justify-center gap-x-5 text-[13px]">
      {legend.map(([text, mark]) => (
        <span key={text} className="inline-flex items-center gap-1.5">
          <span className={mark} />
          {t(text)}
        </span>
      ))}
    </p>
  );
}

interface ConfusionRowsProps {
  models: readonly [Model, Model];
  confusions: readonly [Confusion, Confusion];
}

/** How many judged items each model gets right and wrong, at its own threshold. */
function ConfusionRows({ models, confusions }: ConfusionRowsProps) {
  const t = useText();
  const labelOf = useModelLabel();
  const rows = models.map((model, index) => ({ model, confusion: confusions[index] ?? confusions[0] }));
  const judged = ({ found, escapes, passed, falseAlarms }: Confusion) => found + escapes + passed + falseAlarms;
  return (
    <DataTable
      caption={t('compareJudged')}
      rows={rows}
      rowKey={({ model }) => model.model_id}
      columns={[
        { title: t('compareJudged'), cell: ({ model }) => <span className="break-words">{labelOf(model)}</span> },
        {
          title: t('cellRight'),
          numeric: true,
          cell: ({ confusion }) => `${confusion.found + confusion.passed} / ${judged(confusion)}`,
        },
        { title: t('cellEscape'), numeric: true, cell: ({ confusion }) => confusion.escapes },
        { title: t('cellFalseAlarm'), numeric: true, cell: ({ confusion }) => confusion.falseAlarms },
      ]}
    />
  );
}

type DifferingItemsProps = Omit<ComparedProps, 'onInspect'> & { pairs: readonly ScorePair[] };

function DifferingItems({ pairs, model, other, one, two }: DifferingItemsProps) {
  const t = useText();
  const labelOf = useModelLabel();
  return (
    <Card title={t('differingItems')}>
      <DataTable
        caption={t('differingItems')}
        rows={pairs.slice(0, 200)}
        rowKey={({ item }) => item.item_id}
        columns={[
          {
            title: t('item'),
            cell: ({ item }) => (
              <Link to={`/items/${item.item_id}?type=prediction`} className="text-accent hover:underline">
                {item.name}
              </Link>
            ),
          },
          {
            title: labelOf(model),
            cell: (pair) => (
              <VerdictBadge verdict={verdictAt(pair.one, one.threshold)}>{pair.one.toFixed(3)}</VerdictBadge>
            ),
          },
          {
            title: labelOf(other),
            cell: (pair) => (
              <VerdictBadge verdict={verdictAt(pair.other, two.threshold)}>{pair.other.toFixed(3)}</VerdictBadge>
            ),
          },
          {
            title: t('person'),
            cell: ({ item }) => (item.user_result ? <VerdictBadge verdict={item.user_result} /> : t('unjudged')),
          },
        ]}
      />
    </Card>
  );
}
