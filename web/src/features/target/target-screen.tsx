import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Target } from '../../../../src/client/shapes.ts';
import { stepCatalogueQuery, targetsQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { CompactSelect } from '../../components/field.tsx';
import { Loaded, Page, PageHeader } from '../../components/page.tsx';
import { t } from '../../i18n/text.ts';
import { TargetActions } from './target-actions.tsx';
import { TargetEditor } from './target-editor.tsx';

export function TargetScreen() {
  const targets = useQuery(targetsQuery());
  return (
    <Page className="max-w-7xl">
      <Loaded query={targets}>{(list) => <TargetChoice targets={list} />}</Loaded>
    </Page>
  );
}

function TargetChoice({ targets }: { targets: readonly Target[] }) {
  const [chosenId, setChosenId] = useState<number>();
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
          onChange={(id) => setChosenId(Number(id))}
        />
        {target.is_default && <Badge tone="accent">{t('isDefault')}</Badge>}
        <TargetActions target={target} onChosen={setChosenId} />
      </PageHeader>
      <p className="text-pretty text-ink-soft">{t('targetHint')}</p>
      <Loaded query={catalogue}>
        {(steps) => <TargetEditor key={target.target_id} target={target} catalogue={steps} />}
      </Loaded>
    </>
  );
}
