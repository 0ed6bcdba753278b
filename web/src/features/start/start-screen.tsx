import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Overview } from '../../../../src/client/shapes.ts';
import { overviewQuery } from '../../api/queries.ts';
import { VerdictBadge, VerdictMark } from '../../components/badge.tsx';
import { buttonClass } from '../../components/button.tsx';
import { Card, Figure, Page, PageHeader } from '../../components/card.tsx';
import { classNames } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Thumbnail } from '../../components/thumbnail.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';
import { shownAssessment } from '../items/shown-assessment.ts';

export function StartScreen() {
  const t = useText();
  const overview = useQuery(overviewQuery());
  return (
    <Page>
      <PageHeader title={t('startTitle')}>
        <Link to="/items?type=prediction&upload=1" className={buttonClass('primary')}>
          <Icon name="upload" /> {t('addPhotos')}
        </Link>
      </PageHeader>
      <Loaded query={overview}>
        {(data) => (
          <>
            <FirstSteps overview={data} />
            <Figures overview={data} />
            <div className="grid gap-4 lg:grid-cols-[1fr_22rem]">
              <LastVerdicts overview={data} />
              <ReviewList overview={data} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const t = useText();
  const { active_model: model, recent, queue, inspected } = overview;
  const today = recent.ok + recent.ng;
  const share = today === 0 ? '0 %' : `${((100 * recent.ng) / today).toFixed(1)} %`;
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
        <Figure
          label={t('activeModel')}
          value={
            model ? (
              <Link to={`/models/${model.model_id}`} className="text-accent hover:underline">
                {model.name}
              </Link>
            ) : (
              <span className="text-ink-soft">{t('noActiveModel')}</span>
            )
          }
          note={t('totalInspected', { n: inspected.items })}
        />
        <Figure
          label={t('okToday')}
          value={
            <span className="inline-flex items-center gap-2 text-ok">
              <VerdictMark verdict="OK" size={16} /> {recent.ok}
            </span>
          }
          note={t('judgedShare', { n: inspected.judged })}
        />
        <Figure
          label={t('ngToday')}
          value={
            <span className="inline-flex items-center gap-2 text-ng">
              <VerdictMark verdict="NG" size={16} /> {recent.ng}
            </span>
          }
          note={t('ngShare', { share, n: today })}
        />
        <Figure label={t('inQueue')} value={queue.waiting} note={t('running', { n: queue.running })} />
      </dl>
    </Card>
  );
}

/** Items that were inspected although their preprocessing failed: a camera or a fixture may have moved. */
function UnpreparedNote({ items }: { items: Overview['last_verdicts'] }) {
  const t = useText();
  const noted = items.filter((item) => item.status === 'done' && item.status_text);
  const [first] = noted;
  if (!first) return null;
  return (
    <Link
      to={`/items/${first.item_id}?type=${first.is_training_data ? 'training' : 'prediction'}`}
      className="mb-3 flex items-center gap-2 text-warn hover:underline"
    >
      <Icon name="warning" />
      {t('photosUnprepared', { n: noted.length, of: items.length, name: first.name ?? '' })}
    </Link>
  );
}

function LastVerdicts({ overview }: { overview: Overview }) {
  const t = useText();
  const { last_verdicts: items, active_model: model } = overview;
  return (
    <Card
      title={t('lastVerdicts')}
      aside={
        <Link to="/items?type=prediction" className="text-accent hover:underline">
          {t('showAll')}
        </Link>
      }
    >
      <UnpreparedNote items={items} />
      {items.length === 0 && <p className="text-ink-soft">{t('noVerdicts')}</p>}
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-4 xl:grid-cols-6">
        {items.map((item) => {
          const verdict = shownAssessment(item, model?.model_id);
          return (
            <li key={item.item_id}>
              <Link
                to={`/items/${item.item_id}?type=${item.is_training_data ? 'training' : 'prediction'}`}
                className="block overflow-hidden rounded-md border border-line"
              >
                <span className="relative block aspect-square">
                  <Thumbnail item={item} />
                  <span className="absolute right-1 bottom-1">
                    {verdict && <VerdictBadge verdict={verdict.result} />}
                  </span>
                </span>
                <span className="block truncate px-1.5 py-1 text-xs">{item.name}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

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

/** The steps to the first model in use; hidden once they are done. */
function FirstSteps({ overview }: { overview: Overview }) {
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

/** The items that wait for a person. */
function ReviewList({ overview }: { overview: Overview }) {
  const t = useText();
  const { inspected } = overview;
  const unjudged = inspected.items - inspected.judged;
  const tasks = [
    inspected.disagreements > 0 && {
      to: '/items?type=prediction&disagrees=true',
      text: t('reviewDisagreements', { n: inspected.disagreements }),
    },
    inspected.ng_unjudged > 0 && {
      to: '/items?type=prediction&result=NG&user_result=none',
      text: t('reviewNg', { n: inspected.ng_unjudged }),
    },
    unjudged > 0 && { to: '/items?type=prediction&user_result=none', text: t('reviewUnjudged') },
    inspected.failed > 0 && {
      to: '/items?type=prediction&status=failed',
      text: t('reviewFailed', { n: inspected.failed }),
    },
  ].filter((task) => task !== false);
  return (
    <Card title={t('toReview')}>
      {tasks.length === 0 && <p className="text-ink-soft">{t('nothingToReview')}</p>}
      <ul className="flex flex-col">
        {tasks.map((task) => (
          <li key={task.to + task.text} className="border-b border-line last:border-0">
            <Link to={task.to} className="flex min-h-11 items-center justify-between gap-2 hover:text-accent">
              {task.text}
              <Icon name="right" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
