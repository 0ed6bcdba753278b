import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { followModel } from '../../../../src/client/follow-model.ts';
import type { Model } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { cancelTraining } from '../../api/mutations.ts';
import { inProgress, modelQuery } from '../../api/queries.ts';
import { queryClient, refreshAll } from '../../api/query-client.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Loaded, ProgressBar } from '../../components/loading.tsx';
import { showError } from '../../components/toast.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { remarksOf } from '../../i18n/server-texts.ts';
import { useText } from '../../i18n/use-text.ts';

/** 0 to 1; the server tells the percentage while a training runs. */
function progressOf({ status_messages: [message] = [] }: Model): number {
  return Number(message?.values['percent'] ?? 0) / 100;
}

interface TrainingRunProps {
  modelId: string;
  onAnother: () => void;
  /** Takes the focus, because it replaces the button that had it. */
  takesFocus?: boolean;
}

export function TrainingRun({ modelId, onAnother, takesFocus = false }: TrainingRunProps) {
  const t = useText();
  const model = useModel(modelId);
  const status = model.data?.status;
  // The lists show the new model, and the first model becomes the active one.
  useEffect(() => {
    if (status && status !== 'queued' && status !== 'training') void refreshAll();
  }, [status]);
  const heading = useRef<HTMLElement>(null);
  const takeHeading = useCallback(
    (element: HTMLElement | null) => {
      heading.current = element;
      if (takesFocus) element?.focus();
    },
    [takesFocus],
  );
  const cancel = () => {
    // The button disappears and would take the focus with it.
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
                  {data.status_text}
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
  const remarks = remarksOf(model);
  return (
    <>
      {model.status === 'ready' && (
        <p role="status" className="font-semibold text-ok">
          {t('trainingReady', { name: model.name })}
        </p>
      )}
      {model.status === 'failed' && <p className="font-semibold text-ng">{t('trainingFailed')}</p>}
      {model.status === 'cancelled' && <p className="font-semibold">{t('trainingCancelled')}</p>}
      {model.status !== 'cancelled' && <p className="text-ink-soft">{remarks}</p>}
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

const pollMs = 700;
// A proxy may hold the events back.
const checkMs = 5_000;

/** The model while it trains: by server-sent events, or by polling if there are no events. */
function useModel(modelId: string) {
  const language = useLanguage();
  const [deaf, setDeaf] = useState(false);
  const model = useQuery({
    ...modelQuery(modelId),
    refetchInterval: ({ state }) => (state.data && inProgress(state.data) ? (deaf ? pollMs : checkMs) : false),
  });
  const training = model.data !== undefined && inProgress(model.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the events carry sentences in the language of the request
  useEffect(() => {
    if (!training || deaf) return;
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      const { queryKey } = modelQuery(modelId);
      for await (const next of followModel(api, modelId, controller.signal)) queryClient.setQueryData(queryKey, next);
    };
    const giveUp = (): void => {
      if (!controller.signal.aborted) setDeaf(true);
    };
    follow().then(giveUp, giveUp);
    return () => controller.abort();
  }, [training, deaf, modelId, language]);
  return model;
}
