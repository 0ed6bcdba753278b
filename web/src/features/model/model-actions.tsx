import { useState } from 'react';
import { useNavigate } from 'react-router';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Model } from '../../../../src/client/shapes.ts';
import { saveModel } from '../../api/downloads.ts';
import { api, ofModel } from '../../api/kensa.ts';
import { deleteLater } from '../../api/pending-deletes.ts';
import { refreshAll } from '../../api/queries.ts';
import { ActionButton, Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Card, ProgressBar } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../i18n/text.ts';
import { useParentOfProposal } from './proposal.tsx';
import { useModels } from './use-models.ts';

export function ModelActions({ model }: { model: Model }) {
  const navigate = useNavigate();
  const { labelOf } = useModels();
  const [deleting, setDeleting] = useState(false);
  const { model_id: modelId, name } = model;
  const ready = model.status === 'ready';
  const isProposal = useParentOfProposal(model) !== undefined;
  const activate = async () => {
    await api.POST('/api/v1/models/{model_id}/activate', ofModel(modelId));
    showToast(t('activated', { name }));
    await refreshAll();
  };
  const remove = async () => {
    if (await deleteLater('model', [modelId], t('deleted', { name }))) navigate('/models');
    else setDeleting(false);
  };
  return (
    <>
      {ready && !model.active && !isProposal && (
        <ActionButton needs="engineer" label={t('activate')} look="primary" action={activate} />
      )}
      <RefineButton model={model} />
      {ready && (
        <ActionButton
          icon="download"
          needs="engineer"
          compact
          label={t('exportModel')}
          action={() => saveModel(modelId, name)}
        />
      )}
      <Button
        icon="trash"
        needs="engineer"
        compact
        label={t('remove')}
        look="danger"
        onClick={() => setDeleting(true)}
      />
      {deleting && (
        <ConfirmDialog
          title={t('deleteTitle', { name: labelOf(model) })}
          action={remove}
          onClose={() => setDeleting(false)}
        >
          {t('deleteModelHint')}
        </ConfirmDialog>
      )}
    </>
  );
}

interface RefineButtonProps {
  model: Model | undefined;
  /** The items to correct; absent: all items that people disagree with the model on. */
  itemIds?: readonly string[];
}

/** Makes a new version that agrees with the person. Its screen shows what it changes. */
export function RefineButton({ model, itemIds }: RefineButtonProps) {
  const navigate = useNavigate();
  if (model?.status !== 'ready') return null;
  const refine = async () => {
    const body = itemIds ? { item_ids: [...itemIds] } : {};
    const made = await dataOf(api.POST('/api/v1/models/{model_id}/refine', { ...ofModel(model.model_id), body }));
    showToast(t('refiningStarted', { name: made.name, version: made.version }));
    await refreshAll();
    navigate(`/models/${made.model_id}?tab=details`);
  };
  return (
    <ActionButton
      needs="engineer"
      label={t(itemIds ? 'refineThis' : 'refineAll')}
      size={itemIds ? 'small' : 'normal'}
      title={t('refineHelp')}
      action={refine}
    />
  );
}

/** The progress of a training. */
export function TrainingRun({ model }: { model: Model }) {
  const { model_id: modelId, name, status_text: text, status_messages: [message] = [] } = model;
  const cancel = async () => {
    await api.POST('/api/v1/models/{model_id}/cancel', ofModel(modelId));
    await refreshAll();
  };
  return (
    <Card title={t('trainingRuns', { name })}>
      <div className="flex flex-col items-start gap-4">
        <ProgressBar value={Number(message?.values['percent'] ?? 0) / 100} label={t('jobTrain')} />
        <p aria-live="polite" className="tabular-nums">
          {text}
        </p>
        <ActionButton needs="engineer" label={t('cancelTraining')} look="danger" action={cancel} />
      </div>
    </Card>
  );
}
