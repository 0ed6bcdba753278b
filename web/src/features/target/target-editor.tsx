import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type FieldProblem, KensaError } from '../../../../src/client/kensa-error.ts';
import type { Target } from '../../../../src/client/shapes.ts';
import { updateTarget } from '../../api/mutations.ts';
import type { StepInfo } from '../../api/queries.ts';
import { itemPageQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';
import { type DraftStep, toDraft, toPreprocessing } from './draft-steps.ts';
import { keptDrafts } from './kept-drafts.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { SamplePicker } from './sample-picker.tsx';
import { StepList } from './step-list.tsx';

const samplesShown = 24;

const problemsOf = (error: Error | null): readonly FieldProblem[] =>
  error instanceof KensaError ? error.problems.filter(({ key }) => key.startsWith('preprocessing.')) : [];

/** Steps on the left, what they do to a photo on the right. */
export function TargetEditor({ target, catalogue }: { target: Target; catalogue: readonly StepInfo[] }) {
  const t = useText();
  const queryClient = useQueryClient();
  const [steps, setSteps] = useState<readonly DraftStep[]>(
    () => keptDrafts.find(target) ?? toDraft(target.preprocessing),
  );
  const [openKey, setOpenKey] = useState<number>();
  const [chosenId, setChosenId] = useState<string>();
  const training = useQuery(itemPageQuery({ item_type: 'training' }, 1, samplesShown));
  const inspected = useQuery(itemPageQuery({ item_type: 'prediction' }, 1, samplesShown));
  const samples = [...(training.data?.items ?? []), ...(inspected.data?.items ?? [])];
  const sample = samples.find((item) => item.item_id === chosenId) ?? samples[0];
  const save = useMutation({
    mutationFn: () => updateTarget(target.target_id, { preprocessing: toPreprocessing(steps) }),
    onSuccess: () => {
      keptDrafts.forget(target);
      showToast(t('stepsSaved'));
      return queryClient.invalidateQueries({ queryKey: ['targets'] });
    },
    // A step that is at fault says so itself.
    onError: (error) => (problemsOf(error).length > 0 ? undefined : showError(error)),
  });
  const edit = (next: readonly DraftStep[]) => {
    setSteps(next);
    keptDrafts.keep(target, next);
    // What was wrong may be right now.
    if (save.isError) save.reset();
  };
  const discard = () => {
    edit(toDraft(target.preprocessing));
    keptDrafts.forget(target);
  };
  const changed =
    JSON.stringify(toPreprocessing(steps)) !== JSON.stringify(toPreprocessing(toDraft(target.preprocessing)));
  const problems = problemsOf(save.error);

  return (
    <div className="grid items-start gap-4 lg:grid-cols-[22rem_1fr]">
      <Card title={t('steps')} aside={changed && <Badge tone="warn">{t('unsaved')}</Badge>}>
        <StepList {...{ steps, catalogue, openKey, problems, sample }} onSteps={edit} onOpen={setOpenKey} />
        <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-4">
          <Button look="primary" disabled={!changed || save.isPending} onClick={() => save.mutate()}>
            {t('saveSteps')}
          </Button>
          {changed && <Button onClick={discard}>{t('discardSteps')}</Button>}
        </div>
      </Card>
      <div className="flex min-w-0 flex-col gap-4 max-lg:order-first">
        {sample ? (
          <>
            <PreviewPanel {...{ target, steps, openKey, sample }} onSteps={edit} />
            <SamplePicker samples={samples} current={sample} onChoose={setChosenId} />
          </>
        ) : (
          <Card>
            <p className="text-ink-soft">{t('previewNoItems')}</p>
          </Card>
        )}
      </div>
    </div>
  );
}
