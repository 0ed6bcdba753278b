import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Model } from '../../../../src/client/shapes.ts';
import { saveModel } from '../../api/downloads.ts';
import { activateModel, deleteModels } from '../../api/mutations.ts';
import { modelQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';
import { TeachButton } from './teach-button.tsx';
import { useModelLabel } from './use-model-label.ts';

export function ModelActions({ model }: { model: Model }) {
  const t = useText();
  const queryClient = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const ready = model.status === 'ready';
  const activate = useMutation({
    mutationFn: () => activateModel(model.model_id),
    onSuccess: () => {
      showToast(t('activated', { name: model.name }));
      return queryClient.invalidateQueries();
    },
    onError: showError,
  });
  const save = useMutation({
    mutationFn: () => saveModel(model.model_id, model.name),
    onError: showError,
  });
  return (
    <>
      {ready && !model.active && (
        <Button look="primary" disabled={activate.isPending} onClick={() => activate.mutate()}>
          {t('activate')}
        </Button>
      )}
      <TeachButton model={model} />
      {ready && (
        <Button disabled={save.isPending} onClick={() => save.mutate()}>
          <Icon name="download" /> <span className="max-md:sr-only">{t('exportModel')}</span>
        </Button>
      )}
      <Button look="danger" onClick={() => setDeleting(true)}>
        <Icon name="trash" /> <span className="max-md:sr-only">{t('deleteModel')}</span>
      </Button>
      {deleting && <DeleteDialog model={model} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Asked, not undone: a model's verdicts go with it. */
function DeleteDialog({ model, onClose }: { model: Model; onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteModels([model.model_id]),
    onSuccess: async () => {
      showToast(t('modelDeleted', { name: model.name }));
      navigate('/models');
      queryClient.removeQueries({ queryKey: modelQuery(model.model_id).queryKey });
      await queryClient.invalidateQueries();
    },
    onError: showError,
  });
  return (
    <Dialog
      title={t('deleteModelTitle', { name: useModelLabel()(model) })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t('deleteModel')}
          </Button>
        </>
      }
    >
      {t('deleteModelHint')}
    </Dialog>
  );
}
