import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { Model } from '../../../../src/client/shapes.ts';
import { saveResults } from '../../api/downloads.ts';
import { inProgress, modelQuery, refreshAll } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { ActionButton, LinkButton } from '../../components/button.tsx';
import { Card, EmptyNote, Facts, Loaded, Page, PageHeader, useScreenTitle } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { showToast } from '../../components/toast.tsx';
import { algorithmName, choiceText, remarksOf } from '../../i18n/server-texts.ts';
import { t, timeText } from '../../i18n/text.ts';
import { useProduct } from '../../product.ts';
import { CallbackTab } from './callback-tab.tsx';
import { CompareTab } from './compare-tab.tsx';
import { ModelActions, TrainingRun } from './model-actions.tsx';
import { ModelBadges } from './models-screen.tsx';
import { Proposal, useParentOfProposal } from './proposal.tsx';
import { ThresholdTab } from './threshold-tab.tsx';
import { useModels } from './use-models.ts';
import { useParameterTitles } from './use-parameter-titles.ts';

const tabs = ['threshold', 'compare', 'callback', 'details'] as const;

export function ModelScreen() {
  const { modelId = '' } = useParams();
  const model = useQuery(modelQuery(modelId));
  useScreenTitle(model.data?.name ?? t('modelsTitle'));
  const gone = (
    <EmptyNote title={t('modelGone')}>
      <LinkButton to="/models" label={t('modelsTitle')} />
    </EmptyNote>
  );
  return (
    <Page>
      <Loaded query={model} gone={gone}>
        {(data) => <LoadedModel key={data.model_id} model={data} />}
      </Loaded>
    </Page>
  );
}

function LoadedModel({ model }: { model: Model }) {
  const { labelOf } = useModels();
  const [query, setQuery] = useSearchParams();
  const tab = tabs.find((one) => one === query.get('tab')) ?? 'threshold';
  const parent = useParentOfProposal(model);
  const { name, status } = model;
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    if (status === 'ready') showToast(t('trainingReady', { name }));
    // The first model becomes the active one.
    void refreshAll();
  }, [status, name]);
  return (
    <>
      <PageHeader title={labelOf(model)} mark={<ModelBadges model={model} />}>
        <ModelActions model={model} />
      </PageHeader>
      {parent && <Proposal model={model} parent={parent} />}
      {inProgress(model) && <TrainingRun model={model} />}
      {(status === 'failed' || status === 'cancelled') && (
        <>
          <p className="font-semibold">{t(status === 'failed' ? 'trainingFailed' : 'trainingCancelled')}</p>
          <DetailsTab model={model} />
        </>
      )}
      {status === 'ready' && (
        <Tabs
          label={t('modelViews')}
          tabs={{
            threshold: t('threshold'),
            compare: t('tabCompare'),
            ...(may('engineer') ? { callback: t('tabCallback') } : {}),
            details: t('details'),
          }}
          current={tab}
          onChange={(id) => setQuery({ tab: id }, { replace: true })}
        >
          {tab === 'threshold' && <ThresholdTab model={model} />}
          {tab === 'compare' && <CompareTab model={model} />}
          {tab === 'callback' && may('engineer') && <CallbackTab model={model} />}
          {tab === 'details' && <DetailsTab model={model} />}
        </Tabs>
      )}
    </>
  );
}

export function DetailsTab({ model }: { model: Model }) {
  const remarks = remarksOf(model);
  const titleOf = useParameterTitles();
  const { targets } = useProduct();
  const { models, labelOf } = useModels();
  const parent = models.find((one) => one.model_id === model.parent_id);
  const product = targets.find((target) => target.target_id === model.context_id);
  const facts: [string, ReactNode][] = [
    [t('algorithm'), `${algorithmName(model.algorithm_id)} v${model.version}`],
    [
      t('trainedOn'),
      <Link key="items" className="link" to={`/items?type=training&model_id=${model.model_id}`}>
        {t('trainedOnCounts', { good: model.ok_img_count, ng: model.ng_img_count })}
      </Link>,
    ],
    [t('trainingTime'), model.training_time == null ? '–' : t('seconds', { n: model.training_time })],
    [t('created'), timeText(model.created_at)],
    [t('modelId'), model.model_id],
  ];
  if (product) facts.push([t('product'), product.name]);
  if (parent)
    facts.push([
      t('refinedFrom'),
      <Link key="parent" className="link" to={`/models/${parent.model_id}`}>
        {labelOf(parent)}
      </Link>,
    ]);
  if (remarks) facts.push([t('remarks'), remarks]);
  for (const [name, value] of Object.entries(model.parameters ?? {}))
    facts.push([titleOf(name), choiceText(String(value))]);
  return (
    <Card>
      <Facts facts={facts} className="gap-x-6 sm:grid-cols-[10rem_1fr]" />
      <ActionButton
        icon="download"
        label={t('downloadResults')}
        className="mt-4"
        action={() => saveResults(model.name, model.model_id)}
      />
      {model.status === 'ready' && (
        <LinkButton to="/items?type=prediction&upload=1" icon="upload" label={t('inspectImages')} />
      )}
    </Card>
  );
}
