import type { Model } from '../../../../src/client/shapes.ts';
import { api, ofModel } from '../../api/kensa.ts';
import { refreshAll } from '../../api/queries.ts';
import { ActionButton } from '../../components/button.tsx';
import { Card, ProgressBar } from '../../components/page.tsx';
import { t } from '../../i18n/text.ts';

/** The progress of a training. */
export function TrainingRun({ model }: { model: Model }) {
  const { model_id: modelId, name, status_text: text, status_messages: [message] = [] } = model;
  const cancel = async () => {
    await api.POST('/api/v1/models/{model_id}/cancel', ofModel(modelId));
    await refreshAll();
  };
  return (
    <Card title={t('trainingRuns', { name })}>
      <div className="flex flex-col items-start gap-4">
        <ProgressBar value={Number(message?.values['percent'] ?? 0) / 100} label={t('jobTrain')} />
        <p aria-live="polite" className="tabular-nums">
          {text}
        </p>
        <ActionButton label={t('cancelTraining')} look="danger" action={cancel} />
      </div>
    </Card>
  );
}
