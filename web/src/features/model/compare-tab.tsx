import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { Model, ModelScores } from '../../../../src/client/shapes.ts';
import { scoresQuery, trainingItemsQuery } from '../../api/queries.ts';
import { VerdictBadge } from '../../components/badge.tsx';
import { ActionButton } from '../../components/button.tsx';
import { SelectField } from '../../components/field.tsx';
import { ItemTile, itemPath } from '../../components/item-tile.tsx';
import { Card, DataTable, EmptyNote, Figure, Loaded } from '../../components/page.tsx';
import { scoreText } from '../../components/score-text.ts';
import { algorithmName } from '../../i18n/server-texts.ts';
import { t } from '../../i18n/text.ts';
import { usePredict } from '../items/item-actions.tsx';
import { Legend } from './chart.tsx';
import { ComparedItems } from './compared-items.tsx';
import { type ComparedPairs, ScoreScatter } from './score-scatter.tsx';
import { type Confusion, compareScores, verdictAt } from './score-statistics.ts';
import { useModelFacts } from './use-model-facts.ts';
import { useModels } from './use-models.ts';

export function CompareTab({ model }: { model: Model }) {
  const { models, ready, labelOf } = useModels(model.context_id);
  const [otherId, setOtherId] = useState('');
  const others = ready.filter((one) => one.model_id !== model.model_id);
  const other = others.find((one) => one.model_id === otherId) ?? others[0];
  if (models.length > 0 && !other) return <EmptyNote title={t('onlyOneModel')} />;
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label={t('compareWith')}
        className="max-w-sm"
        value={other?.model_id ?? ''}
        options={others.map((one) => [one.model_id, labelOf(one)])}
        onChange={setOtherId}
      />
      {other && <Comparison models={[model, other]} />}
    </div>
  );
}

type Two<T> = readonly [T, T];

function Comparison({ models }: { models: Two<Model> }) {
  const [inspecting, setInspecting] = useState(false);
  const refetchInterval = inspecting ? 2_000 : 15_000;
  const first = useQuery({ ...scoresQuery(models[0].model_id), refetchInterval });
  const second = useQuery({ ...scoresQuery(models[1].model_id), refetchInterval });
  const complete = first.data?.items.length === second.data?.items.length;
  useEffect(() => {
    if (complete) setInspecting(false);
  }, [complete]);
  return (
    <Loaded query={first}>
      {(one) => (
        <Loaded query={second}>
          {(two) => <ComparedScores models={models} scores={[one, two]} onInspect={() => setInspecting(true)} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface ComparedProps {
  models: Two<Model>;
  scores: Two<ModelScores>;
  /** Items are queued; their scores come soon. */
  onInspect: () => void;
}

function ComparedScores({ models, scores: [one, two], onInspect }: ComparedProps) {
  const { labelOf } = useModels();
  const predict = usePredict();
  const { pairs, differing, missing, confusions } = useMemo(() => compareScores(one, two), [one, two]);
  const names = [labelOf(models[0]), labelOf(models[1])] as const;
  const thresholds = [one.threshold, two.threshold] as const;
  if (one.items.length + two.items.length === 0) return <EmptyNote title={t('noScores')} />;
  return (
    <>
      {models.map(({ model_id: id }, index) => {
        const ids = missing[index] ?? [];
        const name = names[index] ?? '';
        if (ids.length === 0) return null;
        return (
          <Card key={id}>
            <p className="flex flex-wrap items-center gap-2">
              {t('compareMissing', { n: ids.length, name })}
              <ActionButton
                needs="inspector"
                label={t('inspectMissing', { name })}
                size="small"
                action={() => predict(id, ids).then(onInspect)}
              />
            </p>
          </Card>
        );
      })}
      {pairs.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
          <Card title={t('compareScores')}>
            <ScoreScatter pairs={pairs} names={names} thresholds={thresholds} />
            <Legend
              className="mt-2 justify-center"
              entries={[
                [t('legendGood'), 'size-3 rounded-full border-2 border-ok'],
                [t('markNg'), 'size-2.5 rotate-45 bg-ng'],
                [t('legendOpen'), 'size-2 rounded-full bg-ink-soft'],
              ]}
            />
          </Card>
          <Card title={t('compareItems', { n: pairs.length })}>
            <dl className="mb-4 grid grid-cols-2 gap-4">
              <Figure label={t('sameVerdict')}>{pairs.length - differing.length}</Figure>
              <Figure label={t('differentVerdict')}>{differing.length}</Figure>
            </dl>
            <ConfusionRows names={names} confusions={confusions} />
          </Card>
        </div>
      )}
      {differing.length > 0 && (
        <ComparedItems {...{ models, names, thresholds }} pairs={differing}>
          <DifferingItems pairs={differing} names={names} thresholds={thresholds} />
        </ComparedItems>
      )}
      <DifferentParameters models={models} names={names} />
      <TrainingItems models={models} names={names} />
    </>
  );
}

/** How many items with a verdict of a person each model gets right and wrong, at its own threshold. */
function ConfusionRows({ names, confusions }: { names: Two<string>; confusions: Two<Confusion> }) {
  const all = ({ found, escapes, passed, falseAlarms }: Confusion) => found + escapes + passed + falseAlarms;
  return (
    <DataTable
      caption={t('compareReviewed')}
      rows={confusions.map((confusion, index) => ({ ...confusion, name: names[index] }))}
      rowKey={({ name }) => name ?? ''}
      columns={[
        { title: t('compareReviewed'), cell: ({ name }) => <span className="break-words">{name}</span> },
        { title: t('cellRight'), numeric: true, cell: (row) => `${row.found + row.passed} / ${all(row)}` },
        { title: t('cellEscape'), numeric: true, cell: ({ escapes }) => escapes },
        { title: t('cellFalseAlarm'), numeric: true, cell: ({ falseAlarms }) => falseAlarms },
      ]}
    />
  );
}

/** What the two were trained with, where it is not the same. */
function DifferentParameters({ models: [one, two], names }: { models: Two<Model>; names: Two<string> }) {
  const factsOf = useModelFacts();
  const allOf = (model: Model): Record<string, string> => ({
    [t('algorithm')]: algorithmName(model.algorithm_id),
    [t('trainedOn')]: t('trainedOnCounts', { good: model.ok_img_count, ng: model.ng_img_count }),
    ...Object.fromEntries(factsOf(model)),
  });
  const [first, second] = [allOf(one), allOf(two)];
  const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  const different = keys.filter((key) => first[key] !== second[key]);
  return (
    <Card title={t('differentParameters')}>
      {different.length === 0 ? (
        <p className="text-ink-soft">{t('sameParameters')}</p>
      ) : (
        <DataTable
          caption={t('differentParameters')}
          rows={different}
          rowKey={(key) => key}
          columns={[
            { title: t('name'), cell: (key) => <span className="whitespace-nowrap">{key}</span> },
            { title: names[0], cell: (key) => first[key] ?? '–' },
            { title: names[1], cell: (key) => second[key] ?? '–' },
          ]}
        />
      )}
    </Card>
  );
}

/** The items that both learned from, and those that only one did. */
function TrainingItems({ models: [one, two], names }: { models: Two<Model>; names: Two<string> }) {
  const all = useQuery(trainingItemsQuery(one.model_id)).data;
  const onlyOne = useQuery(trainingItemsQuery(one.model_id, two.model_id)).data;
  const onlyTwo = useQuery(trainingItemsQuery(two.model_id, one.model_id)).data;
  if (!all || !onlyOne || !onlyTwo) return null;
  const parts = [
    [t('itemsOnlyIn', { name: names[0] }), onlyOne],
    [t('itemsOnlyIn', { name: names[1] }), onlyTwo],
  ] as const;
  return (
    <Card title={t('itemsLearned')}>
      <dl className="grid grid-cols-3 gap-4">
        <Figure label={t('itemsInCommon')}>{all.total - onlyOne.total}</Figure>
        {parts.map(([label, { total }], index) => (
          // The names of two models may be the same.
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are always these
          <Figure key={index} label={label}>
            {total}
          </Figure>
        ))}
      </dl>
      {parts.map(([label, { items, total }], index) =>
        total === 0 ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are always these
          <section key={index} className="mt-4">
            <h3 className="mb-2 font-medium">{label}</h3>
            <ul className="flex gap-2 overflow-x-auto pb-2">
              {items.map((item) => (
                <li key={item.item_id} className="w-24 shrink-0">
                  <ItemTile item={item} isTraining />
                </li>
              ))}
              {total > items.length && (
                <li className="flex shrink-0 items-center px-3 text-ink-soft">
                  {t('andMore', { n: total - items.length })}
                </li>
              )}
            </ul>
          </section>
        ),
      )}
    </Card>
  );
}

function DifferingItems({ pairs, names, thresholds }: ComparedPairs) {
  const badge = (score: number, threshold: number) => (
    <VerdictBadge verdict={verdictAt(score, threshold)} by="model">
      {scoreText(score, threshold, 3)}
    </VerdictBadge>
  );
  return (
    <DataTable
      caption={t('differingItems')}
      rows={pairs.slice(0, 200)}
      rowKey={({ item }) => item.item_id}
      columns={[
        {
          title: t('item'),
          cell: ({ item }) => (
            <Link to={itemPath(item.item_id)} className="link">
              {item.name}
            </Link>
          ),
        },
        { title: names[0], cell: ({ one }) => badge(one, thresholds[0]) },
        { title: names[1], cell: ({ other }) => badge(other, thresholds[1]) },
        {
          title: t('person'),
          cell: ({ item }) =>
            item.user_result ? <VerdictBadge verdict={item.user_result} by="person" /> : t('unreviewed'),
        },
      ]}
    />
  );
}
