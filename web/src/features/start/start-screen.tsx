import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Overview } from '../../../../src/client/shapes.ts';
import { overviewQuery } from '../../api/queries.ts';
import { VerdictBadge, VerdictMark } from '../../components/badge.tsx';
import { buttonClass } from '../../components/button.tsx';
import { Card, Figure, Page, PageHeader } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Thumbnail } from '../../components/thumbnail.tsx';
import { useText } from '../../i18n/use-text.ts';
import { shownAssessment } from '../items/shown-assessment.ts';
import { FirstSteps } from './first-steps.tsx';
import { ReviewList } from './review-list.tsx';

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

/** Photos that were judged although their preprocessing failed: a camera or a fixture may have moved. */
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
