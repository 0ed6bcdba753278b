import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Algorithm, Readiness } from '../../../../src/client/shapes.ts';
import { labelsQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Icon } from '../../components/icon.tsx';
import { itemPath } from '../../components/item-tile.tsx';
import { Figure } from '../../components/page.tsx';
import { type MessageKey, percent, t } from '../../i18n/text.ts';

/** What is missing for a training with this algorithm; undefined: it can start. */
export function missingFor({ attribute, type }: Algorithm, { good, ng, regions }: Readiness): MessageKey | undefined {
  if (good === 0) return 'readyNoGood';
  if (attribute === 'unsupervised') return undefined;
  if (ng === 0) return 'readyNeedsNg';
  return type === 'object_detection' && regions.length === 0 ? 'readyNeedsRegions' : undefined;
}

const fewGood = 10;
const fewRegions = 10;
const issuesShown = 6;
/** The number of good items that support a false-alarm rate of 1 %: n of them support 1 / (n + 1). */
const goodForOnePercent = 99;

const issueTexts: Record<Readiness['oddities'][number]['kind'], MessageKey> = {
  size: 'issueSize',
  duplicate: 'issueDuplicate',
  contradiction: 'issueContradiction',
  too_small: 'issueTooSmall',
  too_narrow: 'issueTooNarrow',
  no_contrast: 'issueNoContrast',
};

/** Whether the items are enough for a training, and what to check before. */
export function ReadinessCheck({ readiness, algorithm }: { readiness: Readiness; algorithm: Algorithm }) {
  const { good, ng, unjudged, images, supported_false_alarm_rate: rate, oddities: issues, regions } = readiness;
  const { oddity_count: issueCount } = readiness;
  const missing = missingFor(algorithm, readiness);
  const more = rate === null ? 0 : goodForOnePercent - Math.round(1 / rate - 1);
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-3 gap-3">
        <Figure label={t('legendGood')}>{good}</Figure>
        <Figure label={t('markNg')}>{ng}</Figure>
        <Figure label={t('legendOpen')} note={unjudged > 0 && t('notUsed')}>
          {unjudged}
        </Figure>
      </dl>
      <ul aria-label={t('readiness')} className="flex flex-col gap-2">
        {missing && <Finding good={false}>{t(missing)}</Finding>}
        {good > 0 && good < fewGood && <Finding good={false}>{t('readyFew', { n: good })}</Finding>}
        {good >= fewGood && <Finding good>{t('readyEnough')}</Finding>}
        {rate !== null && (
          <Finding good={more <= 0}>
            {t('readyRate', { n: good, rate: percent(rate) })}
            {more > 0 && <span className="block">{t('readyAddMore', { n: more })}</span>}
          </Finding>
        )}
        {algorithm.attribute === 'supervised' && ng > 0 && (
          <Finding good={regions.length > 0}>
            <RegionCounts regions={regions} algorithm={algorithm} />
          </Finding>
        )}
        {issues.length === 0 && images > 0 && <Finding good>{t('readyNoIssues')}</Finding>}
        {issues.length > 0 && (
          <Finding good={false}>
            {t('readyIssues', { n: issueCount })}
            <ul className="mt-1 flex flex-col gap-0.5 text-[13px]">
              {issues.slice(0, issuesShown).map(({ kind, item_id: id, name, other }) => (
                <li key={`${kind} ${id}`}>
                  <Link to={itemPath(id, true)} className="text-accent underline">
                    {name}
                  </Link>{' '}
                  {t(issueTexts[kind], { other })}
                </li>
              ))}
              {issueCount > issuesShown && <li>{t('andMore', { n: issueCount - issuesShown })}</li>}
            </ul>
          </Finding>
        )}
      </ul>
    </div>
  );
}

function Finding({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <li className="flex gap-2">
      <span className={good ? 'mt-0.5 text-ok' : 'mt-0.5 text-warn'}>
        <Icon name={good ? 'check' : 'warning'} />
      </span>
      <div className="min-w-0">{children}</div>
    </li>
  );
}

/** The number of regions for each label, and a link to draw more. */
function RegionCounts({ regions, algorithm }: Pick<Readiness, 'regions'> & { algorithm: Algorithm }) {
  const labels = useQuery(labelsQuery()).data ?? [];
  const nameOf = (label: number | null): string =>
    label === null ? t('noLabel') : (labels.find((one) => one.label === label)?.name ?? t('labelNumber', { n: label }));
  const few = regions.some((one) => one.label !== null && one.regions < fewRegions);
  return (
    <>
      {regions.length === 0 ? t('readyNoRegions') : t('readyRegions')}{' '}
      {regions.map((one) => (
        <span key={one.label} className="mr-1">
          <Badge tone={one.label === null ? 'warn' : 'neutral'}>
            {nameOf(one.label)}: {one.regions}
          </Badge>
        </span>
      ))}
      {few && algorithm.type === 'object_detection' && <span className="block">{t('readyFewRegions')}</span>}
      <Link to="/items?type=training&user_result=NG" className="block text-accent underline">
        {t('drawRegions')}
      </Link>
    </>
  );
}
