import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Algorithm, Readiness } from '../../../../src/client/shapes.ts';
import { labelsQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Figure } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';

type Missing = 'good' | 'ng' | 'regions';

/** What is missing for a training with this algorithm; undefined: it can start. */
export function missingFor(algorithm: Algorithm, readiness: Readiness): Missing | undefined {
  if (readiness.good === 0) return 'good';
  if (algorithm.attribute === 'unsupervised') return undefined;
  if (readiness.ng === 0) return 'ng';
  return algorithm.type === 'object_detection' && readiness.regions.length === 0 ? 'regions' : undefined;
}

const fewGood = 10;
const odditiesShown = 6;

const missingTexts: Record<Missing, MessageKey> = {
  good: 'readyNoGood',
  ng: 'readyNeedsNg',
  regions: 'readyNeedsRegions',
};

const oddityTexts: Record<Readiness['oddities'][number]['kind'], MessageKey> = {
  size: 'oddSize',
  duplicate: 'oddDuplicate',
  contradiction: 'oddContradiction',
  too_small: 'oddTooSmall',
  too_narrow: 'oddTooNarrow',
  no_contrast: 'oddNoContrast',
};

/** Whether the items are enough for a training, and what to check before. */
export function ReadinessCheck({ readiness, algorithm }: { readiness: Readiness; algorithm: Algorithm }) {
  const t = useText();
  const { good, ng, unjudged, images, supported_false_alarm_rate: rate, oddities } = readiness;
  const missing = missingFor(algorithm, readiness);
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-3 gap-3">
        <Figure label={t('countGood')} value={good} />
        <Figure label={t('countNg')} value={ng} />
        <Figure label={t('countUnjudged')} value={unjudged} note={unjudged > 0 ? t('leftOut') : undefined} />
      </dl>
      <ul aria-label={t('readiness')} className="flex flex-col gap-2">
        {missing && <Finding good={false}>{t(missingTexts[missing])}</Finding>}
        {good > 0 && good < fewGood && <Finding good={false}>{t('readyFew', { n: good })}</Finding>}
        {good >= fewGood && <Finding good>{t('readyEnough')}</Finding>}
        {rate !== null && <SupportedRate rate={rate} />}
        {algorithm.attribute === 'supervised' && ng > 0 && (
          <Finding good={readiness.regions.length > 0}>
            <RegionCounts regions={readiness.regions} algorithm={algorithm} />
          </Finding>
        )}
        {oddities.length === 0 && images > 0 && <Finding good>{t('readyNoOddities')}</Finding>}
        {oddities.length > 0 && <Oddities oddities={oddities} />}
      </ul>
    </div>
  );
}

/** The number of good items that support a false-alarm rate of 1 %: n of them support 1 / (n + 1). */
const goodForOnePercent = 99;

function SupportedRate({ rate }: { rate: number }) {
  const t = useText();
  const more = goodForOnePercent - Math.round(1 / rate - 1);
  return (
    <Finding good={more <= 0}>
      {t('readyRate', { rate: `${(100 * rate).toFixed(1)} %` })} {more > 0 && t('readyAddMore', { n: more })}
    </Finding>
  );
}

function Oddities({ oddities }: Pick<Readiness, 'oddities'>) {
  const t = useText();
  return (
    <Finding good={false}>
      {t('readyOddities', { n: oddities.length })}
      <ul className="mt-1 flex flex-col gap-0.5 text-[13px]">
        {oddities.slice(0, odditiesShown).map((oddity) => (
          <li key={`${oddity.kind} ${oddity.item_id}`}>
            <Link to={`/items/${oddity.item_id}?type=training`} className="text-accent underline">
              {oddity.name}
            </Link>{' '}
            {t(oddityTexts[oddity.kind], { other: oddity.other })}
          </li>
        ))}
        {oddities.length > odditiesShown && <li>{t('andMore', { n: oddities.length - odditiesShown })}</li>}
      </ul>
    </Finding>
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

const fewRegions = 10;

/** The number of regions for each label, and a link to draw more. */
function RegionCounts({ regions, algorithm }: Pick<Readiness, 'regions'> & { algorithm: Algorithm }) {
  const t = useText();
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
