import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { Model } from '../../../../src/client/shapes.ts';
import { inProgress, modelQuery, refreshAll } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { LinkButton } from '../../components/button.tsx';
import { EmptyNote, Loaded, Page, PageHeader, useScreenTitle } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../i18n/text.ts';
import { CallbackTab } from './callback-tab.tsx';
import { CompareTab } from './compare-tab.tsx';
import { DetailsTab } from './details-tab.tsx';
import { ModelActions, TrainingRun } from './model-actions.tsx';
import { ModelBadges } from './models-screen.tsx';
import { Proposal, useParentOfProposal } from './proposal.tsx';
import { ThresholdTab } from './threshold-tab.tsx';
import { useModels } from './use-models.ts';

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
