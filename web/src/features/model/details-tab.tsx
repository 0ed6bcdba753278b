import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Model } from '../../../../src/client/shapes.ts';
import { saveResults } from '../../api/downloads.ts';
import { ActionButton, LinkButton } from '../../components/button.tsx';
import { Card, Facts } from '../../components/page.tsx';
import { algorithmName } from '../../i18n/server-texts.ts';
import { t, timeText } from '../../i18n/text.ts';
import { ModelRemarks } from './model-remarks.tsx';
import { useModelFacts } from './use-model-facts.ts';
import { useModels } from './use-models.ts';

export function DetailsTab({ model }: { model: Model }) {
  const factsOf = useModelFacts();
  const { models, labelOf } = useModels();
  const parent = models.find((one) => one.model_id === model.parent_id);
  const facts: [string, ReactNode][] = [
    [t('algorithm'), `${algorithmName(model.algorithm_id)} v${model.version}`],
    [
      t('trainedOn'),
      <Link key="items" className="link" to={`/items?type=training&model_id=${model.model_id}`}>
        {t('trainedOnCounts', { good: model.ok_img_count, ng: model.ng_img_count })}
      </Link>,
    ],
    [t('trainingTime'), model.training_time == null ? '–' : t('seconds', { n: model.training_time })],
    [t('created'), timeText(model.created_at)],
    [t('modelId'), model.model_id],
  ];
  if (parent)
    facts.push([
      t('refinedFrom'),
      <Link key="parent" className="link" to={`/models/${parent.model_id}`}>
        {labelOf(parent)}
      </Link>,
    ]);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        {model.status === 'ready' && (
          <LinkButton
            needs="inspector"
            to={`/items?type=prediction&upload=${model.model_id}`}
            icon="upload"
            label={t('inspectImages')}
          />
        )}
        <ActionButton
          icon="download"
          label={t('downloadResults')}
          action={() => saveResults(model.name, model.model_id)}
        />
      </div>
      <ModelRemarks model={model} />
      <Card>
        <Facts facts={[...facts, ...factsOf(model)]} className="gap-x-6 sm:grid-cols-[10rem_1fr]" />
      </Card>
    </div>
  );
}
