import { useMutation } from '@tanstack/react-query';
import type { Model } from '../../../../src/client/shapes.ts';
import { saveResults } from '../../api/downloads.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { showError } from '../../components/toast.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { useServerTexts } from '../../i18n/server-texts.ts';
import { useText } from '../../i18n/use-text.ts';

export function DetailsTab({ model }: { model: Model }) {
  const t = useText();
  const texts = useServerTexts();
  const language = useLanguage();
  const results = useMutation({
    mutationFn: () => saveResults(model.name, model.model_id),
    onError: showError,
  });
  const remarks = texts.status((model.status_text ?? '').replace(/^Ready\. ?/, ''));
  const facts: [string, string][] = [
    [t('algorithm'), `${model.algorithm_id} v${model.version}`],
    [t('trainedOn'), t('trainedOnCounts', { good: model.ok_img_count, ng: model.ng_img_count })],
    [t('trainingTime'), model.training_time == null ? '–' : t('seconds', { n: model.training_time })],
    [t('created'), new Date(model.created_at).toLocaleString(language)],
    ['model_id', model.model_id],
  ];
  return (
    <Card>
      <dl className="grid gap-x-6 sm:grid-cols-[10rem_1fr] sm:gap-y-2">
        {facts.map(([term, fact]) => (
          <div key={term} className="contents">
            <dt className="text-ink-soft">{term}</dt>
            <dd className="break-words max-sm:mb-2">{fact}</dd>
          </div>
        ))}
        {remarks && (
          <>
            <dt className="text-ink-soft">{t('remarks')}</dt>
            <dd>{remarks}</dd>
          </>
        )}
      </dl>
      <Button className="mt-4" disabled={results.isPending} onClick={() => results.mutate()}>
        <Icon name="download" /> {t('downloadResults')}
      </Button>
    </Card>
  );
}
