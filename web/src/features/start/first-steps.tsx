import { Link } from 'react-router';
import type { Overview } from '../../../../src/client/shapes.ts';
import { buttonClass } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { classNames } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';

interface Step {
  readonly title: MessageKey;
  readonly hint: MessageKey;
  readonly done: boolean;
  readonly to: string;
}

const enoughGood = 10;

function stepsOf({ training, active_model: model, inspected }: Overview): Step[] {
  const trained = model !== null;
  return [
    {
      title: 'stepUpload',
      hint: 'stepUploadHint',
      done: trained || training.good >= enoughGood,
      to: '/items?type=training&upload=1',
    },
    { title: 'stepTrain', hint: 'stepTrainHint', done: trained, to: '/train' },
    {
      title: 'stepInspect',
      hint: 'stepInspectHint',
      done: inspected.assessed > 0,
      to: '/items?type=prediction&upload=1',
    },
    {
      title: 'stepReview',
      hint: 'stepReviewHint',
      done: inspected.judged > 0,
      to: '/items?type=prediction&user_result=none',
    },
  ];
}

/** The way from nothing to a model in use; gone once it has been walked. */
export function FirstSteps({ overview }: { overview: Overview }) {
  const t = useText();
  const { training } = overview;
  const steps = stepsOf(overview);
  const next = steps.findIndex((step) => !step.done);
  if (next < 0) return null;
  return (
    <Card title={t('firstStepsTitle')}>
      <ol className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {steps.map((step, index) => (
          <li
            key={step.title}
            aria-current={index === next ? 'step' : undefined}
            className={classNames(
              'flex flex-col gap-1.5 rounded-lg border p-3',
              index === next ? 'border-accent bg-accent-soft' : 'border-line',
            )}
          >
            <p className="flex items-center gap-2 font-semibold">
              <span
                className={classNames(
                  'flex size-6 shrink-0 items-center justify-center rounded-full text-[13px]',
                  step.done ? 'bg-ok text-surface' : 'border border-line-strong',
                )}
              >
                {step.done ? <Icon name="check" size={14} /> : index + 1}
              </span>
              {t(step.title)}
              {step.done && <span className="sr-only">({t('stepDone')})</span>}
            </p>
            <p className="flex-1 text-[13px] text-ink-soft">{t(step.hint)}</p>
            {index === 0 && !step.done && training.good > 0 && (
              <p className="text-[13px] font-medium">{t('haveGood', { n: training.good })}</p>
            )}
            {index <= next && !step.done && (
              <Link
                to={step.to}
                className={classNames(buttonClass('primary', 'small'), 'max-w-full self-start whitespace-normal!')}
              >
                {t(step.title)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
