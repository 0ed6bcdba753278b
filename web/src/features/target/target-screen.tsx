import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Target } from '../../../../src/client/shapes.ts';
import { api, ofTarget } from '../../api/kensa.ts';
import { deleteLater } from '../../api/pending-deletes.ts';
import { overviewQuery, queryClient, stepCatalogueQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { ActionButton, Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog, NameDialog } from '../../components/dialog.tsx';
import { CompactSelect } from '../../components/field.tsx';
import { Loaded, Page, PageHeader } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../i18n/text.ts';
import { chooseProduct, useProduct, useTargets } from '../../product.ts';
import { TargetEditor } from './target-editor.tsx';

export function TargetScreen() {
  const targets = useTargets();
  return (
    <Page className="max-w-7xl">
      <Loaded query={targets}>{(list) => <TargetChoice targets={list} />}</Loaded>
    </Page>
  );
}

function TargetChoice({ targets }: { targets: readonly Target[] }) {
  const { productId: chosenId } = useProduct();
  const catalogue = useQuery(stepCatalogueQuery());
  const target =
    targets.find((one) => one.target_id === chosenId) ?? targets.find((one) => one.is_default) ?? targets[0];
  if (!target) return null;
  return (
    <>
      <PageHeader title={t('targetTitle')}>
        <CompactSelect
          label={t('navTarget')}
          value={target.target_id}
          options={targets.map((one) => [one.target_id, one.name])}
          onChange={(id) => chooseProduct(Number(id))}
        />
        {target.is_default && <Badge tone="accent">{t('isDefault')}</Badge>}
        <TargetActions target={target} onChosen={chooseProduct} />
      </PageHeader>
      <p className="text-pretty text-ink-soft">{t('targetHint')}</p>
      <Loaded query={catalogue}>
        {(steps) => <TargetEditor key={target.target_id} target={target} catalogue={steps} />}
      </Loaded>
    </>
  );
}

function TargetActions({ target, onChosen }: { target: Target; onChosen: (targetId?: number) => void }) {
  const [asking, setAsking] = useState<'new' | 'rename' | 'delete'>();
  const close = () => setAsking(undefined);
  const { target_id: id, name, is_default: isDefault } = target;
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['targets'] });
  const makeDefault = async () => {
    await api.POST('/api/v1/targets/{target_id}', ofTarget(id));
    showToast(t('madeDefault', { name }));
    await refresh();
  };
  const remove = async () => {
    const { training, inspected } = await queryClient.fetchQuery(overviewQuery(id));
    const isUsed = training.good + training.ng + training.unjudged + inspected.items > 0;
    // The server refuses then, and says why.
    if (isUsed) await api.DELETE('/api/v1/targets/{target_id}', ofTarget(id));
    else if (await deleteLater('target', [String(id)], t('deleted', { name }))) onChosen();
    close();
  };
  const rename = async (next: string) => {
    await api.PUT('/api/v1/targets/{target_id}', { ...ofTarget(id), body: { name: next } });
    await refresh();
  };
  const create = async (next: string) => {
    const made = await dataOf(api.POST('/api/v1/targets/', { body: { name: next } }));
    await refresh();
    onChosen(made.target_id);
  };
  return (
    <>
      {!isDefault && <ActionButton needs="engineer" label={t('makeDefault')} size="small" action={makeDefault} />}
      <Button needs="engineer" label={t('renameTarget')} size="small" onClick={() => setAsking('rename')} />
      <Button needs="engineer" icon="plus" label={t('newTarget')} size="small" onClick={() => setAsking('new')} />
      {!isDefault && (
        <IconButton needs="engineer" icon="trash" label={t('deleteTarget')} onClick={() => setAsking('delete')} />
      )}
      {asking === 'delete' && (
        <ConfirmDialog title={t('deleteTitle', { name })} action={remove} onClose={close}>
          {t('deleteTargetHint')}
        </ConfirmDialog>
      )}
      {asking === 'rename' && (
        <NameDialog title={t('renameTarget')} initial={name} maxLength={200} save={rename} onClose={close} />
      )}
      {asking === 'new' && <NameDialog title={t('newTarget')} maxLength={200} save={create} onClose={close} />}
    </>
  );
}
