import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Model } from '../../../../src/client/shapes.ts';
import { importModels } from '../../../../src/client/transfer.ts';
import { api } from '../../api/kensa.ts';
import { modelsQuery } from '../../api/queries.ts';
import { refreshAll } from '../../api/query-client.ts';
import { buttonClass, FileButton } from '../../components/button.tsx';
import { Card, EmptyNote, Page, PageHeader } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { showToast } from '../../components/toast.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/use-text.ts';
import { ModelBadges } from './model-badges.tsx';
import { percent } from './threshold-effect.ts';

export function ModelsScreen() {
  const t = useText();
  const models = useQuery(modelsQuery());
  return (
    <Page>
      <PageHeader title={t('modelsTitle')}>
        <ImportButton />
        <Link to="/train" className={buttonClass('primary')}>
          {t('trainTitle')}
        </Link>
      </PageHeader>
      <Loaded query={models}>
        {(list) =>
          list.length === 0 ? (
            <EmptyNote title={t('noModels')} />
          ) : (
            <Card>
              <ModelsTable models={list} />
            </Card>
          )
        }
      </Loaded>
    </Page>
  );
}

const algorithmOf = (model: Model): string => `${model.algorithm_id} v${model.version}`;

function ModelsTable({ models }: { models: readonly Model[] }) {
  const t = useText();
  const language = useLanguage();
  const trainedOn = (model: Model) => t('trainedOnCounts', { good: model.ok_img_count, ng: model.ng_img_count });
  return (
    <DataTable
      caption={t('modelsTitle')}
      rows={models}
      rowKey={(model) => model.model_id}
      columns={[
        {
          title: t('name'),
          cell: (model) => (
            <>
              <Link
                to={`/models/${model.model_id}`}
                className="inline-block min-w-40 font-semibold break-words text-accent hover:underline"
              >
                {model.name}
              </Link>
              <span className="block text-xs text-ink-soft md:hidden">
                {algorithmOf(model)} · {trainedOn(model)}
              </span>
            </>
          ),
        },
        { title: t('status'), cell: (model) => <ModelBadges model={model} /> },
        {
          title: t('algorithm'),
          wide: true,
          cell: (model) => <span className="whitespace-nowrap">{algorithmOf(model)}</span>,
        },
        {
          title: t('trainedOn'),
          wide: true,
          cell: (model) => <span className="whitespace-nowrap">{trainedOn(model)}</span>,
        },
        {
          title: t('precision'),
          numeric: true,
          wide: true,
          cell: (model) => percent(model.stats?.precision?.computed),
        },
        { title: t('recall'), numeric: true, wide: true, cell: (model) => percent(model.stats?.recall?.computed) },
        {
          title: t('created'),
          wide: true,
          cell: (model) => (
            <span className="whitespace-nowrap">{new Date(model.created_at).toLocaleString(language)}</span>
          ),
        },
      ]}
    />
  );
}

function ImportButton() {
  const t = useText();
  const load = useMutation({
    mutationFn: (file: File) => importModels(api, file),
    onSuccess: (imported) => {
      showToast(t('imported', { n: imported.length }));
      return refreshAll();
    },
  });
  return (
    <span className="inline-flex items-center gap-2">
      {load.isPending && <span role="status">{t('importing')}</span>}
      <FileButton
        icon="upload"
        label={t('importModel')}
        accept=".zip,application/zip"
        onFiles={([file]) => file && load.mutate(file)}
      />
    </span>
  );
}
