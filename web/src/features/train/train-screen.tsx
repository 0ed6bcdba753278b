import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { algorithmsQuery, inProgress, modelsQuery } from '../../api/queries.ts';
import { Page, PageHeader } from '../../components/card.tsx';
import { Loaded } from '../../components/loading.tsx';
import { useText } from '../../i18n/use-text.ts';
import { TrainForm } from './train-form.tsx';
import { TrainingRun } from './training-run.tsx';

export function TrainScreen() {
  const t = useText();
  const { state } = useLocation();
  const [startedId, setStartedId] = useState<string>();
  const algorithms = useQuery(algorithmsQuery());
  const models = useQuery(modelsQuery());
  // A training of another client, or from before the page was reloaded.
  const running = models.data?.find(inProgress)?.model_id;
  const shown = startedId ?? running;
  const chosen = (state as { itemIds?: string[] } | null)?.itemIds;
  return (
    <Page>
      <PageHeader title={t('trainTitle')} />
      {shown ? (
        <TrainingRun
          key={shown}
          modelId={shown}
          takesFocus={shown === startedId}
          onAnother={() => setStartedId(undefined)}
        />
      ) : (
        <Loaded query={algorithms}>
          {(list) => <TrainForm algorithms={list} chosen={chosen} onStarted={setStartedId} />}
        </Loaded>
      )}
    </Page>
  );
}
