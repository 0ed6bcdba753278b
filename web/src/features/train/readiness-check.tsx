import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Algorithm, Readiness } from '../../../../src/client/shapes.ts';
import { Figure } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';

const fewGood = 10;
const imagesForOnePercent = 99;
const odditiesShown = 6;

const oddityTexts: Record<Readiness['oddities'][number]['kind'], MessageKey> = {
  size: 'oddSize',
  duplicate: 'oddDuplicate',
  contradiction: 'oddContradiction',
};

/** Whether there is enough to learn from, what it can vouch for, and what to look at first. */
export function ReadinessCheck({ readiness, algorithm }: { readiness: Readiness; algorithm: Algorithm }) {
  const t = useText();
  const { good, ng, unjudged, images, supported_false_alarm_rate: rate, oddities } = readiness;
  const percent = rate === null ? '' : `${(100 * rate).toFixed(1)} %`;
  const missing = imagesForOnePercent - images;
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-3 gap-3">
        <Figure label={t('countGood')} value={good} />
        <Figure label={t('countNg')} value={ng} />
        <Figure label={t('countUnjudged')} value={unjudged} />
      </dl>
      <ul aria-label={t('readiness')} className="flex flex-col gap-2">
        {good === 0 && <Finding good={false}>{t('readyNoGood')}</Finding>}
        {good > 0 && good < fewGood && <Finding good={false}>{t('readyFew', { n: good })}</Finding>}
        {good >= fewGood && <Finding good>{t('readyEnough')}</Finding>}
        {algorithm.attribute === 'supervised' && ng === 0 && <Finding good={false}>{t('readyNeedsNg')}</Finding>}
        {rate !== null && (
          <Finding good={missing <= 0}>
            {t('readyRate', { rate: percent })} {missing > 0 && t('readyAddMore', { n: missing })}
          </Finding>
        )}
        {oddities.length === 0 && images > 0 && <Finding good>{t('readyNoOddities')}</Finding>}
        {oddities.length > 0 && (
          <Finding good={false}>
            {t('readyOddities', { n: oddities.length })}
            <ul className="mt-1 flex flex-col gap-0.5 text-[13px]">
              {oddities.slice(0, odditiesShown).map((oddity) => (
                <li key={`${oddity.kind} ${oddity.item_id}`}>
                  <Link to={`/items/${oddity.item_id}`} className="text-accent underline">
                    {oddity.name}
                  </Link>{' '}
                  {t(oddityTexts[oddity.kind], { other: oddity.other })}
                </li>
              ))}
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
