import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Target } from '../../../../src/client/shapes.ts';
import { createTarget, deleteTarget, setDefaultTarget, updateTarget } from '../../api/targets.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';

interface TargetActionsProps {
  target: Target;
  onChosen: (targetId: number | undefined) => void;
}

export function TargetActions({ target, onChosen }: TargetActionsProps) {
  const t = useText();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState<'new' | 'rename' | 'delete'>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['targets'] });
  const choose = useMutation({
    mutationFn: () => setDefaultTarget(target.target_id),
    onSuccess: () => {
      showToast(t('madeDefault', { name: target.name }));
      return refresh();
    },
    onError: showError,
  });
  return (
    <>
      {!target.is_default && (
        <Button size="small" onClick={() => choose.mutate()}>
          {t('makeDefault')}
        </Button>
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
        <DeleteDialog
          target={target}
          onClose={() => setAsking(undefined)}
          onDone={() => {
            onChosen(undefined);
            return refresh();
          }}
        />
      )}
      {(asking === 'new' || asking === 'rename') && (
        <NameDialog
          {...(asking === 'rename' ? { target } : {})}
          onClose={() => setAsking(undefined)}
          onDone={async (named) => {
            await refresh();
            onChosen(named.target_id);
          }}
        />
      )}
    </>
  );
}

interface DeleteDialogProps {
  target: Target;
  onClose: () => void;
  onDone: () => Promise<void>;
}

function DeleteDialog({ target, onClose, onDone }: DeleteDialogProps) {
  const t = useText();
  const remove = useMutation({
    mutationFn: () => deleteTarget(target.target_id),
    onSuccess: () => {
      showToast(t('targetDeleted', { name: target.name }));
      onClose();
      return onDone();
    },
    onError: showError,
  });
  return (
    <Dialog
      title={t('deleteTargetTitle', { name: target.name })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t('remove')}
          </Button>
        </>
      }
    >
      {t('deleteTargetHint')}
    </Dialog>
  );
}

interface NameDialogProps {
  /** The one to rename; absent: a new one. */
  target?: Target;
  onClose: () => void;
  onDone: (target: Target) => Promise<void>;
}

function NameDialog({ target, onClose, onDone }: NameDialogProps) {
  const t = useText();
  const [name, setName] = useState(target?.name ?? '');
  const save = useMutation({
    mutationFn: () => (target ? updateTarget(target.target_id, { name }) : createTarget(name)),
    onSuccess: async (named) => {
      await onDone(named);
      onClose();
    },
    onError: showError,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog title={t(target ? 'renameTarget' : 'newTargetTitle')} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('name')}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" look="primary" disabled={name.trim() === '' || save.isPending}>
          {t('save')}
        </Button>
      </form>
    </Dialog>
  );
}
