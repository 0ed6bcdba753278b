import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Model } from '../../../../src/client/shapes.ts';
import { activateModel, deleteModels, saveModel } from '../../api/mutations.ts';
import { modelQuery } from '../../api/queries.ts';
import { queryClient, refreshAll } from '../../api/query-client.ts';
import { ActionButton, Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';
import { RefineButton } from './refine-button.tsx';
import { useModelLabel } from './use-model-label.ts';

export function ModelActions({ model }: { model: Model }) {
  const t = useText();
  const navigate = useNavigate();
  const labelOf = useModelLabel();
  const [deleting, setDeleting] = useState(false);
  const ready = model.status === 'ready';
  const activate = async () => {
    await activateModel(model.model_id);
    showToast(t('activated', { name: model.name }));
    await refreshAll();
  };
  const remove = useMutation({
    mutationFn: () => deleteModels([model.model_id]),
    onSuccess: async () => {
      showToast(t('deleted', { name: model.name }));
      navigate('/models');
      queryClient.removeQueries({ queryKey: modelQuery(model.model_id).queryKey });
      await refreshAll();
    },
  });
  return (
    <>
      {ready && !model.active && (
        <ActionButton look="primary" action={activate}>
          {t('activate')}
        </ActionButton>
      )}
      <RefineButton model={model} />
      {ready && (
        <ActionButton action={() => saveModel(model.model_id, model.name)}>
          <Icon name="download" /> <span className="max-md:sr-only">{t('exportModel')}</span>
        </ActionButton>
      )}
      <Button look="danger" onClick={() => setDeleting(true)}>
        <Icon name="trash" /> <span className="max-md:sr-only">{t('remove')}</span>
      </Button>
      {deleting && (
        <ConfirmDialog
          title={t('deleteTitle', { name: labelOf(model) })}
          busy={remove.isPending}
          onConfirm={remove.mutate}
          onClose={() => setDeleting(false)}
        >
          {t('deleteModelHint')}
        </ConfirmDialog>
      )}
    </>
  );
}
