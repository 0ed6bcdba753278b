import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { algorithmsQuery, inProgress } from '../../api/queries.ts';
import { Loaded, Page, PageHeader } from '../../components/page.tsx';
import { t } from '../../i18n/text.ts';
import { useModels } from '../model/use-models.ts';
import { TrainForm } from './train-form.tsx';
import { TrainingRun } from './training-run.tsx';

export function TrainScreen() {
  const state = useLocation().state as { itemIds?: string[] } | null;
  const algorithms = useQuery(algorithmsQuery());
  // A training of another client too.
  const running = useModels().models.find(inProgress);
  return (
    <Page>
      <PageHeader title={t('trainTitle')} />
      {running && <TrainingRun model={running} />}
      <Loaded query={algorithms}>{(list) => <TrainForm algorithms={list} chosen={state?.itemIds} />}</Loaded>
    </Page>
  );
}
