import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Label } from '../../../../src/client/shapes.ts';
import { saveLabels } from '../../api/mutations.ts';
import { labelsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CompactSelect, TextField } from '../../components/field.tsx';
import { showError } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';

interface LabelSelectProps {
  label: number | null;
  labels: readonly Label[];
  onChange: (label: number | null) => void;
}

const none = 'none';
const another = 'another';

/** The kind of defect; a new kind gets the next free number. */
export function LabelSelect({ label, labels, onChange }: LabelSelectProps) {
  const t = useText();
  const [naming, setNaming] = useState(false);
  const unnamed = label !== null && !labels.some((one) => one.label === label);
  return (
    <>
      <CompactSelect
        label={t('regionLabel')}
        value={label === null ? none : String(label)}
        onChange={({ target: { value } }) => {
          if (value === another) setNaming(true);
          else onChange(value === none ? null : Number(value));
        }}
        className="max-w-32"
      >
        <option value={none}>{t('noLabel')}</option>
        {labels.map((one) => (
          <option key={one.label} value={one.label}>
            {one.label} · {one.name}
          </option>
        ))}
        {unnamed && <option value={label}>{t('labelNumber', { n: label })}</option>}
        <option value={another}>{t('newLabel')}</option>
      </CompactSelect>
      {naming && <NewLabelDialog labels={labels} onMade={onChange} onClose={() => setNaming(false)} />}
    </>
  );
}

interface NewLabelDialogProps {
  labels: readonly Label[];
  onMade: (label: number) => void;
  onClose: () => void;
}

function NewLabelDialog({ labels, onMade, onClose }: NewLabelDialogProps) {
  const t = useText();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const label = Math.max(0, ...labels.map((one) => one.label)) + 1;
  const make = useMutation({
    mutationFn: () => saveLabels([...labels, { label, name: name.trim() }]),
    onSuccess: (all) => {
      queryClient.setQueryData(labelsQuery().queryKey, all);
      onMade(label);
      onClose();
    },
    onError: showError,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Dialog title={t('newLabelTitle')} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField label={t('name')} required maxLength={100} value={name} onChange={(e) => setName(e.target.value)} />
        <Button type="submit" look="primary" disabled={name.trim() === '' || make.isPending}>
          {t('save')}
        </Button>
      </form>
    </Dialog>
  );
}
