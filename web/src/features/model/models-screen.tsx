import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Model, ModelStatus } from '../../../../src/client/shapes.ts';
import { importModels } from '../../../../src/client/transfer.ts';
import { api } from '../../api/kensa.ts';
import { useDeleted } from '../../api/pending-deletes.ts';
import { modelsQuery, refreshAll } from '../../api/queries.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { FileButton, LinkButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Card, type Column, DataTable, EmptyNote, Loaded, Page, PageHeader } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { algorithmName } from '../../i18n/server-texts.ts';
import { dateText, type MessageKey, percent, t } from '../../i18n/text.ts';
import { useProduct } from '../../product.ts';

export function ModelsScreen() {
  const models = useQuery(modelsQuery());
  const { targets, isChoice, productId } = useProduct();
  const deleted = useDeleted('model');
  const isShown = (model: Model) =>
    !deleted.has(model.model_id) && (productId === undefined || model.context_id === productId);
  const nameOf = (model: Model) => targets.find((one) => one.target_id === model.context_id)?.name ?? '–';
  return (
    <Page>
      <PageHeader title={t('modelsTitle')}>
        <ImportButton />
        <LinkButton needs="engineer" to="/train" look="primary" label={t('trainTitle')} />
      </PageHeader>
      <Loaded query={models}>
        {(list) =>
          !list.some(isShown) ? (
            <EmptyNote title={t('noModels')} />
          ) : (
            <Card>
              <DataTable
                caption={t('modelsTitle')}
                rows={list.filter(isShown)}
                rowKey={(model) => model.model_id}
                columns={modelColumns(isChoice && productId === undefined ? nameOf : undefined)}
              />
            </Card>
          )
        }
      </Loaded>
    </Page>
  );
}

/** @param productOf names the product of a model, where those of several are shown */
function modelColumns(productOf: ((model: Model) => string) | undefined): Column<Model>[] {
  const algorithmOf = (model: Model) => `${algorithmName(model.algorithm_id)} v${model.version}`;
  const trainedOn = (model: Model) => t('trainedOnCounts', { good: model.ok_img_count, ng: model.ng_img_count });
  const wide = (title: string, cell: (model: Model) => string, numeric = false): Column<Model> => {
    return { title, numeric, wide: true, cell: (model) => <span className="whitespace-nowrap">{cell(model)}</span> };
  };
  return [
    {
      title: t('name'),
      cell: (model) => (
        <>
          <Link to={`/models/${model.model_id}`} className="link inline-block min-w-40 font-semibold break-words">
            {model.name}
          </Link>
          <span className="block text-xs break-keep text-ink-soft md:hidden">
            {[...(productOf ? [productOf(model)] : []), algorithmOf(model), trainedOn(model)].join(' · ')}
          </span>
        </>
      ),
    },
    ...(productOf ? [wide(t('product'), productOf)] : []),
    { title: t('status'), cell: (model) => <ModelBadges model={model} /> },
    wide(t('algorithm'), algorithmOf),
    wide(t('trainedOn'), trainedOn),
    wide(t('precision'), (model) => percent(model.stats?.precision?.computed), true),
    wide(t('recall'), (model) => percent(model.stats?.recall?.computed), true),
    wide(t('created'), (model) => dateText(model.created_at)),
  ];
}

function ImportButton() {
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
        needs="engineer"
        icon="upload"
        label={t('importModel')}
        accept=".zip,application/zip"
        onFiles={([file]) => file && load.mutate(file)}
      />
    </span>
  );
}

const statuses: Record<ModelStatus, [MessageKey, Tone]> = {
  queued: ['statusQueued', 'neutral'],
  training: ['statusTraining', 'accent'],
  ready: ['statusReady', 'ok'],
  failed: ['statusFailed', 'ng'],
  cancelled: ['statusCancelled', 'neutral'],
};

export function ModelBadges({ model }: { model: Model }) {
  const [text, tone] = statuses[model.status];
  if (!model.active) return <Badge tone={tone}>{t(text)}</Badge>;
  return (
    <Badge tone="accent">
      <Icon name="check" size={12} /> {t('active')}
    </Badge>
  );
}
