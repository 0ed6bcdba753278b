import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Target } from '../../../../src/client/shapes.ts';
import { createTarget, deleteTarget, setDefaultTarget, updateTarget } from '../../api/mutations.ts';
import { queryClient } from '../../api/query-client.ts';
import { ActionButton, Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog, NameDialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../i18n/text.ts';

interface TargetActionsProps {
  target: Target;
  onChosen: (targetId: number | undefined) => void;
}

export function TargetActions({ target, onChosen }: TargetActionsProps) {
  const [asking, setAsking] = useState<'new' | 'rename' | 'delete'>();
  const close = () => setAsking(undefined);
  const { target_id: id, name } = target;
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['targets'] });
  const makeDefault = async () => {
    await setDefaultTarget(id);
    showToast(t('madeDefault', { name }));
    await refresh();
  };
  const remove = useMutation({
    mutationFn: () => deleteTarget(id),
    onSuccess: () => {
      showToast(t('deleted', { name }));
      close();
      onChosen(undefined);
      return refresh();
    },
  });
  const save = useMutation({
    mutationFn: (text: string) => (asking === 'rename' ? updateTarget(id, { name: text }) : createTarget(text)),
    onSuccess: async (named) => {
      await refresh();
      onChosen(named.target_id);
      close();
    },
  });
  return (
    <>
      {!target.is_default && (
        <ActionButton size="small" action={makeDefault}>
          {t('makeDefault')}
        </ActionButton>
      )}
      <Button size="small" onClick={() => setAsking('rename')}>
        {t('renameTarget')}
      </Button>
      <Button size="small" onClick={() => setAsking('new')}>
        <Icon name="plus" size={14} /> {t('newTarget')}
      </Button>
      {!target.is_default && (
        <IconButton label={t('deleteTarget')} onClick={() => setAsking('delete')}>
          <Icon name="trash" />
        </IconButton>
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={t('deleteTitle', { name })}
          busy={remove.isPending}
          onConfirm={remove.mutate}
          onClose={close}
        >
          {t('deleteTargetHint')}
        </ConfirmDialog>
      )}
      {(asking === 'new' || asking === 'rename') && (
        <NameDialog
          title={t(asking === 'rename' ? 'renameTarget' : 'newTargetTitle')}
          initial={asking === 'rename' ? name : ''}
          maxLength={200}
          busy={save.isPending}
          onSave={save.mutate}
          onClose={close}
        />
      )}
    </>
  );
}
