import type { Model } from '../../../../src/client/shapes.ts';
import { saveResults } from '../../api/downloads.ts';
import { ActionButton } from '../../components/button.tsx';
import { Card, Facts } from '../../components/page.tsx';
import { remarksOf } from '../../i18n/server-texts.ts';
import { t, timeText } from '../../i18n/text.ts';

export function DetailsTab({ model }: { model: Model }) {
  const remarks = remarksOf(model);
  const facts: [string, string][] = [
    [t('algorithm'), `${model.algorithm_id} v${model.version}`],
    [t('trainedOn'), t('trainedOnCounts', { good: model.ok_img_count, ng: model.ng_img_count })],
    [t('trainingTime'), model.training_time == null ? '–' : t('seconds', { n: model.training_time })],
    [t('created'), timeText(model.created_at)],
    ['model_id', model.model_id],
  ];
  if (remarks) facts.push([t('remarks'), remarks]);
  return (
    <Card>
      <Facts facts={facts} className="gap-x-6 sm:grid-cols-[10rem_1fr]" />
      <ActionButton
        icon="download"
        label={t('downloadResults')}
        className="mt-4"
        action={() => saveResults(model.name, model.model_id)}
      />
    </Card>
  );
}
