import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'react-router';
import { KensaError } from '../../../../src/client/kensa-error.ts';
import type { Model } from '../../../../src/client/shapes.ts';
import { inProgress, modelQuery } from '../../api/queries.ts';
import { buttonClass } from '../../components/button.tsx';
import { EmptyNote, Page, PageHeader, useScreenTitle } from '../../components/card.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useText } from '../../i18n/use-text.ts';
import { TrainingRun } from '../train/training-run.tsx';
import { CallbackTab } from './callback-tab.tsx';
import { CompareTab } from './compare-tab.tsx';
import { DetailsTab } from './details-tab.tsx';
import { ModelActions } from './model-actions.tsx';
import { ModelBadges } from './model-badges.tsx';
import { ThresholdTab } from './threshold-tab.tsx';
import { useModelLabel } from './use-model-label.ts';

const tabs = ['threshold', 'compare', 'callback', 'details'] as const;

export function ModelScreen() {
  const t = useText();
  const { modelId = '' } = useParams();
  const labelOf = useModelLabel();
  const model = useQuery(modelQuery(modelId));
  useScreenTitle(model.data ? labelOf(model.data) : t('modelsTitle'));
  if (model.error instanceof KensaError && model.error.status === 404) {
    return (
      <Page>
        <EmptyNote title={t('modelGone')}>
          <Link to="/models" className={buttonClass()}>
            {t('modelsTitle')}
          </Link>
        </EmptyNote>
      </Page>
    );
  }
  return (
    <Page>
      <Loaded query={model}>{(data) => <LoadedModel key={data.model_id} model={data} />}</Loaded>
    </Page>
  );
}

function LoadedModel({ model }: { model: Model }) {
  const t = useText();
  const labelOf = useModelLabel();
  const [query, setQuery] = useSearchParams();
  const tab = tabs.find((one) => one === query.get('tab')) ?? 'threshold';
  return (
    <>
      <PageHeader title={labelOf(model)} mark={<ModelBadges model={model} />}>
        <ModelActions model={model} />
      </PageHeader>
      {inProgress(model) && <TrainingRun modelId={model.model_id} onAnother={() => undefined} />}
      {(model.status === 'failed' || model.status === 'cancelled') && (
        <>
          <p className="font-semibold">{t(model.status === 'failed' ? 'trainingFailed' : 'trainingCancelled')}</p>
          <DetailsTab model={model} />
        </>
      )}
      {model.status === 'ready' && (
        <Tabs
          label={t('modelViews')}
          tabs={{
            threshold: t('tabThreshold'),
            compare: t('tabCompare'),
            callback: t('tabCallback'),
            details: t('tabDetails'),
          }}
          current={tab}
          onChange={(id) => setQuery({ tab: id }, { replace: true })}
        >
          {tab === 'threshold' && <ThresholdTab model={model} />}
          {tab === 'compare' && <CompareTab model={model} />}
          {tab === 'callback' && <CallbackTab model={model} />}
          {tab === 'details' && <DetailsTab model={model} />}
        </Tabs>
      )}
    </>
  );
}
