import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { Model } from '../../../../src/client/shapes.ts';
import { cancelTraining } from '../../api/mutations.ts';
import { inProgress } from '../../api/queries.ts';
import { useModel } from '../../api/use-model.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loading.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { showError } from '../../components/toast.tsx';
import { useServerTexts } from '../../i18n/server-texts.ts';
import { useText } from '../../i18n/use-text.ts';

/** `status_text` ends in the percentage while a training runs. */
export function progressOf(model: Model): number {
  return Number(/(\d+) ?%$/.exec(model.status_text ?? '')?.[1] ?? 0) / 100;
}

interface TrainingRunProps {
  modelId: string;
  onAnother: () => void;
  /** Whether it takes the place of what was pressed last, and with it the focus. */
  takesFocus?: boolean;
}

export function TrainingRun({ modelId, onAnother, takesFocus = false }: TrainingRunProps) {
  const t = useText();
  const texts = useServerTexts();
  const queryClient = useQueryClient();
  const model = useModel(modelId);
  const status = model.data?.status;
  // Lists show the new model, and the first of all is now the active one.
  useEffect(() => {
    if (status && status !== 'queued' && status !== 'training') void queryClient.invalidateQueries();
  }, [status, queryClient]);
  const heading = useRef<HTMLElement>(null);
  const takeHeading = useCallback(
    (element: HTMLElement | null) => {
      heading.current = element;
      if (takesFocus) element?.focus();
    },
    [takesFocus],
  );
  const cancel = () => {
    // The button goes when it has done its work.
    heading.current?.focus();
    return cancelTraining(modelId).then(() => model.refetch(), showError);
  };
  return (
    <Loaded query={model}>
      {(data) => (
        <Card
          title={
            <span ref={takeHeading} tabIndex={-1} className="rounded">
              {t('trainingRuns', { name: data.name })}
            </span>
          }
        >
          <div className="flex flex-col items-start gap-4">
            {inProgress(data) ? (
              <>
                <div className="w-full">
                  <ProgressBar value={progressOf(data)} label={t('trainingProgress')} />
                </div>
                <p aria-live="polite" className="tabular-nums">
                  {texts.status(data.status_text ?? '')}
                </p>
                <Button look="danger" onClick={cancel}>
                  {t('cancelTraining')}
                </Button>
              </>
            ) : (
              <TrainingEnd model={data} onAnother={onAnother} />
            )}
          </div>
        </Card>
      )}
    </Loaded>
  );
}

function TrainingEnd({ model, onAnother }: { model: Model; onAnother: () => void }) {
  const t = useText();
  const texts = useServerTexts();
  const remarks = (model.status_text ?? '').replace(/^Ready\. ?/, '');
  return (
    <>
      {model.status === 'ready' && (
        <p role="status" className="font-semibold text-ok">
          {t('trainingReady', { name: model.name })}
        </p>
      )}
      {model.status === 'failed' && <p className="font-semibold text-ng">{t('trainingFailed')}</p>}
      {model.status === 'cancelled' && <p className="font-semibold">{t('trainingCancelled')}</p>}
      {model.status !== 'cancelled' && <p className="text-ink-soft">{texts.status(remarks)}</p>}
      <div className="flex flex-wrap gap-2">
        {model.status === 'ready' && (
          <Link to={`/models/${model.model_id}`} className={buttonClass('primary')}>
            {t('openModel')}
          </Link>
        )}
        <Button onClick={onAnother}>{t('trainAnother')}</Button>
      </div>
    </>
  );
}
