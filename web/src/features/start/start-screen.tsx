import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Overview } from '../../../../src/client/shapes.ts';
import type { Role } from '../../../../src/roles.ts';
import { overviewQuery } from '../../api/queries.ts';
import { VerdictBadge, VerdictMark } from '../../components/badge.tsx';
import { LinkButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { ItemTile, itemPath, shownAssessment } from '../../components/item-tile.tsx';
import { Card, Figure, Loaded, Page, PageHeader } from '../../components/page.tsx';
import { type MessageKey, percent, t } from '../../i18n/text.ts';
import { useProduct } from '../../product.ts';

export function StartScreen() {
  const overview = useQuery(overviewQuery(useProduct().productId));
  return (
    <Page>
      <PageHeader title={t('startTitle')}>
        <LinkButton
          needs="inspector"
          to="/items?type=prediction&upload=1"
          look="primary"
          icon="upload"
          label={t('addImages')}
        />
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
  const { active_model: model, to_review: products, recent, queue, inspected } = overview;
  const today = recent.ok + recent.ng;
  const share = percent(today === 0 ? 0 : recent.ng / today);
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
        <Figure
          label={t(products.length > 1 ? 'activeModels' : 'activeModel')}
          note={t('totals', { inspected: inspected.assessed, judged: inspected.judged })}
        >
          {products.length > 1 ? (
            <Link to="/models" className="link">
              {t('activeModelsCount', { n: products.length })}
            </Link>
          ) : model ? (
            <Link to={`/models/${model.model_id}`} className="link">
              {model.name}
            </Link>
          ) : (
            <span className="text-ink-soft">{t('noActiveModel')}</span>
          )}
        </Figure>
        <Figure label={t('okToday')} note={t('inspectedToday', { n: today })}>
          <span className="inline-flex items-center gap-2 text-ok">
            <VerdictMark verdict="OK" size={16} /> {recent.ok}
          </span>
        </Figure>
        <Figure label={t('ngToday')} note={t('ngShare', { share, n: today })}>
          <span className="inline-flex items-center gap-2 text-ng">
            <VerdictMark verdict="NG" size={16} /> {recent.ng}
          </span>
        </Figure>
        <Figure label={t('inQueue')} note={t('running', { n: queue.running })}>
          {queue.waiting}
        </Figure>
      </dl>
    </Card>
  );
}

function LastVerdicts({ overview }: { overview: Overview }) {
  const { last_verdicts: items, active_model: model } = overview;
  return (
    <Card
      title={t('lastVerdicts')}
      aside={
        <Link to="/items?type=prediction" className="link">
          {t('showAll')}
        </Link>
      }
    >
      <UnpreparedNote items={items} />
      {items.length === 0 && <p className="text-ink-soft">{t('noVerdicts')}</p>}
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-4 xl:grid-cols-6">
        {items.map((item) => {
          const verdict = shownAssessment(item, model?.model_id)?.result;
          return (
            <li key={item.item_id}>
              <ItemTile item={item}>
                <span className="absolute right-1 bottom-7">
                  {verdict && <VerdictBadge verdict={verdict} by="model" />}
                </span>
              </ItemTile>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** Items that were inspected although their preprocessing failed: a camera or a fixture may have moved. */
function UnpreparedNote({ items }: { items: Overview['last_verdicts'] }) {
  const noted = items.filter((item) => item.status === 'done' && item.status_text);
  const [first] = noted;
  if (!first) return null;
  return (
    <Link
      to={itemPath(first.item_id, first.is_training_data)}
      className="mb-3 flex items-center gap-2 text-warn hover:underline"
    >
      <Icon name="warning" />
      {t('itemsUnprepared', { n: noted.length, of: items.length, name: first.name })}
    </Link>
  );
}

const enoughGood = 10;

type Step = readonly [title: MessageKey, hint: MessageKey, done: boolean, to: string, needs: Role];

function stepsOf({ training, to_review: products, inspected }: Overview): Step[] {
  const trained = products.length > 0;
  const added = trained || training.good >= enoughGood;
  return [
    ['stepUpload', 'stepUploadHint', added, '/items?type=training&upload=1', 'inspector'],
    ['trainTitle', 'stepTrainHint', trained, '/train', 'engineer'],
    ['stepInspect', 'stepInspectHint', inspected.assessed > 0, '/items?type=prediction&upload=1', 'inspector'],
    ['stepReview', 'stepReviewHint', inspected.judged > 0, '/items?type=prediction&user_result=none', 'inspector'],
  ];
}

/** The steps to the first model in use; hidden once they are done. */
function FirstSteps({ overview }: { overview: Overview }) {
  const { good } = overview.training;
  const steps = stepsOf(overview);
  const next = steps.findIndex(([, , done]) => !done);
  if (next < 0) return null;
  return (
    <Card title={t('firstStepsTitle')}>
      <ol className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {steps.map(([title, hint, done, to, needs], index) => (
          <li
            key={title}
            aria-current={index === next ? 'step' : undefined}
            className="flex flex-col gap-1.5 rounded-lg border border-line p-3 aria-[current=step]:border-accent aria-[current=step]:bg-accent-soft"
          >
            <p className="flex items-center gap-2 font-semibold">
              <span
                className={`flex size-6 shrink-0 items-center justify-center rounded-full text-[13px] ${done ? 'bg-ok text-surface' : 'border border-line-strong'}`}
              >
                {done ? <Icon name="check" size={14} /> : index + 1}
              </span>
              {t(title)}
              {done && <span className="sr-only">({t('stepDone')})</span>}
            </p>
            <p className="flex-1 text-[13px] text-ink-soft">{t(hint)}</p>
            {index === 0 && !done && good > 0 && (
              <p className="text-[13px] font-medium">{t('haveGood', { n: good })}</p>
            )}
            {index <= next && !done && (
              <span className="self-start">
                <LinkButton needs={needs} to={to} look="primary" size="small" label={t(title)} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** The items that wait for a person. Where several products have a model, each has counts of its own. */
function ReviewList({ overview: { inspected, to_review: products } }: { overview: Overview }) {
  const { targets } = useProduct();
  const ofProduct = (targetId: number, text: string) => {
    const name = targets.find((target) => target.target_id === targetId)?.name;
    return products.length < 2 || name === undefined ? text : `${name}: ${text}`;
  };
  const tasks: readonly (readonly [count: number, filter: string, text: string])[] = [
    ...products.map(({ target_id, model_id, disagreements: n }) => {
      const text = ofProduct(target_id, t('reviewDisagreements', { n }));
      return [n, `disagrees=true&model_id=${model_id}`, text] as const;
    }),
    ...products.map(({ target_id, model_id, ng_unjudged: n }) => {
      const text = ofProduct(target_id, t('reviewNg', { n }));
      return [n, `result=NG&user_result=none&model_id=${model_id}`, text] as const;
    }),
    [inspected.items - inspected.judged, 'user_result=none', t('reviewUnreviewed')],
    [inspected.failed, 'status=failed', t('reviewFailed', { n: inspected.failed })],
  ];
  const waiting = tasks.filter(([count]) => count > 0);
  return (
    <Card title={t('toReview')}>
      {waiting.length === 0 && <p className="text-ink-soft">{t('nothingToReview')}</p>}
      <ul className="flex flex-col">
        {waiting.map(([, filter, text]) => (
          <li key={filter} className="border-b border-line last:border-0">
            <Link
              to={`/items?type=prediction&${filter}`}
              className="flex min-h-11 items-center justify-between gap-2 hover:text-accent"
            >
              {text}
              <Icon name="right" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
