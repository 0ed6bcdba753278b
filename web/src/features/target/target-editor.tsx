import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FieldProblem } from '../../../../src/client/kensa-error.ts';
import type { Item, Target } from '../../../../src/client/shapes.ts';
import { api, ofTarget } from '../../api/kensa.ts';
import { itemPageQuery, problemsOf, queryClient, type StepInfo, targetsQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { createDrafts, useDraft } from '../../drafts.ts';
import { stepTitle } from '../../i18n/server-texts.ts';
import { t } from '../../i18n/text.ts';
import { type DraftStep, isEmptyMask, toDraft, toPreprocessing } from './draft-steps.ts';
import { PreviewImage, usePreview } from './preview.tsx';
import { CropCanvas, MaskCanvas } from './step-canvas.tsx';
import { StepList } from './step-list.tsx';

const isSame = (one: readonly DraftStep[], other: readonly DraftStep[]): boolean =>
  JSON.stringify(toPreprocessing(one)) === JSON.stringify(toPreprocessing(other));

const drafts = createDrafts<readonly DraftStep[]>(
  () =>
    (queryClient.getQueryData(targetsQuery().queryKey) ?? []).map((target) => [
      String(target.target_id),
      toDraft(target.preprocessing),
    ]),
  isSame,
);

const isOfStep = ({ key }: FieldProblem): boolean => key.startsWith('preprocessing.');

export type StepEditor = ReturnType<typeof useStepEditor>;

/**
 * The steps of a target while they are edited.
 * @param sample shows the effect of the steps
 */
export function useStepEditor(target: Target, sample: Item | undefined) {
  const { target_id: targetId, preprocessing } = target;
  const shown = useRef<readonly DraftStep[]>([]);
  // Steps that were just saved keep their keys, so that the open one stays open.
  const saved = useMemo(() => {
    const steps = toDraft(preprocessing);
    return isSame(steps, shown.current) ? shown.current : steps;
  }, [preprocessing]);
  const [draft, edit] = useDraft(drafts, String(targetId), saved);
  const steps = draft ?? saved;
  useEffect(() => {
    shown.current = steps;
  }, [steps]);
  const [openKey, open] = useState<number>();
  const save = useMutation({
    mutationFn: () =>
      api.PUT('/api/v1/targets/{target_id}', {
        ...ofTarget(targetId),
        body: { preprocessing: toPreprocessing(steps) },
      }),
    onSuccess: () => {
      showToast(t('stepsSaved'));
      return queryClient.invalidateQueries({ queryKey: ['targets'] });
    },
    // A step shows its own error.
    onError: (error) => (problemsOf(error).some(isOfStep) ? undefined : showError(error)),
  });
  return {
    steps,
    edit: (next: readonly DraftStep[] | undefined) => {
      edit(next);
      if (save.isError) save.reset();
    },
    save,
    problems: problemsOf(save.error).filter(isOfStep),
    changed: draft !== undefined,
    sample,
    /** The step with its fields open. */
    openKey,
    open,
  };
}

const samplesShown = 9;

/** The steps, and what they do to an item. */
export function TargetEditor({ target, catalogue }: { target: Target; catalogue: readonly StepInfo[] }) {
  const [chosenId, setChosenId] = useState<string>();
  const { target_id } = target;
  const training = useQuery(itemPageQuery({ item_type: 'training', target_id }, 1, samplesShown));
  const inspected = useQuery(itemPageQuery({ item_type: 'prediction', target_id }, 1, samplesShown));
  const samples = mixSamples(training.data?.items ?? [], inspected.data?.items ?? []);
  const sample = samples.find((item) => item.item_id === chosenId) ?? samples[0];
  const editor = useStepEditor(target, sample);
  const { changed, save } = editor;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[22rem_1fr]">
      <Card title={t('steps')} aside={changed && <Badge tone="warn">{t('unsaved')}</Badge>}>
        <StepList editor={editor} catalogue={catalogue} />
        <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-4">
          <Button
            needs="engineer"
            label={t('saveSteps')}
            look="primary"
            disabled={!changed || save.isPending || editor.steps.some(isEmptyMask)}
            onClick={() => save.mutate()}
          />
          {changed && <Button label={t('discardSteps')} onClick={() => editor.edit(undefined)} />}
        </div>
      </Card>
      <div className="flex min-w-0 flex-col gap-4 max-lg:order-first">
        {sample ? (
          <>
            <PreviewPanel target={target} editor={editor} sample={sample} />
            <Card title={t('previewItems')}>
              <ul className="grid grid-cols-3 gap-2 sm:grid-cols-5">
                {samples.map((item) => (
                  <li key={item.item_id}>
                    <PreviewTile
                      target={target}
                      item={item}
                      steps={editor.steps}
                      chosen={item === sample}
                      onChoose={() => setChosenId(item.item_id)}
                    />
                  </li>
                ))}
              </ul>
            </Card>
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

/** A few of both kinds, where there are both. */
function mixSamples(training: readonly Item[], inspected: readonly Item[]): Item[] {
  const half = Math.ceil(samplesShown / 2);
  const first = training.slice(0, Math.max(half, samplesShown - inspected.length));
  return [...first, ...inspected.slice(0, samplesShown - first.length)];
}

interface PreviewTileProps {
  target: Target;
  item: Item;
  steps: readonly DraftStep[];
  chosen: boolean;
  onChoose: () => void;
}

/** An item after the steps. A press shows it large. */
function PreviewTile({ target, item, steps, chosen, onChoose }: PreviewTileProps) {
  const { src, busy, error } = usePreview(
    target.target_id,
    item.item_id,
    toPreprocessing(steps.filter((step) => !isEmptyMask(step))),
  );
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={item.name}
      title={error ?? item.name}
      onClick={onChoose}
      className="relative block aspect-square w-full overflow-hidden rounded-md border-2 border-line bg-[#0b1013] aria-pressed:border-accent"
    >
      {src && !error && (
        <img
          src={src}
          alt=""
          data-testid="preview-tile"
          className={`size-full object-contain ${busy ? 'opacity-60' : ''}`}
        />
      )}
      {error && (
        <span className="absolute inset-0 overflow-hidden bg-ng-soft p-1 text-left text-xs text-ng">{error}</span>
      )}
    </button>
  );
}

/** The item before and after the steps. A crop or a mask is drawn on the image that its step gets. */
function PreviewPanel({ target, editor, sample }: { target: Target; editor: StepEditor; sample: Item }) {
  const { steps } = editor;
  const openIndex = steps.findIndex((step) => step.key === editor.openKey);
  const open = steps[openIndex];
  const drawn = open && (open.name === 'crop' || open.name === 'mask') ? open : undefined;
  const inputSteps = drawn ? steps.slice(0, openIndex) : [];
  const before = usePreview(
    target.target_id,
    sample.item_id,
    toPreprocessing(inputSteps.filter((step) => !isEmptyMask(step))),
  );
  const after = usePreview(
    target.target_id,
    sample.item_id,
    toPreprocessing(steps.filter((step) => !isEmptyMask(step))),
  );
  const setConfig = (config: DraftStep['config']) =>
    editor.edit(steps.map((step) => (step === drawn ? { ...step, config } : step)));
  const title = drawn ? t('beforeStep', { name: stepTitle(drawn.name) }) : t('before');
  const Canvas = drawn?.name === 'crop' ? CropCanvas : MaskCanvas;
  return (
    <div
      className={`grid items-start gap-4 ${drawn ? 'grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]' : 'grid-cols-2'}`}
    >
      <Card title={title}>
        {drawn && before.src ? (
          <Canvas key={drawn.key} preview={before} config={drawn.config} onChange={setConfig} />
        ) : (
          <PreviewImage preview={before} alt={`${title}: ${sample.name}`} />
        )}
      </Card>
      <Card title={t('after')}>
        <PreviewImage preview={after} alt={`${t('after')}: ${sample.name}`} testId="preview-after" />
      </Card>
    </div>
  );
}
