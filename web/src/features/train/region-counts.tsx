import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Algorithm, Readiness } from '../../../../src/client/shapes.ts';
import { labelsQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { useText } from '../../i18n/use-text.ts';

const fewRegions = 10;

/** How many rectangles of each label there are to learn from, and where to draw them. */
export function RegionCounts({ regions, algorithm }: Pick<Readiness, 'regions'> & { algorithm: Algorithm }) {
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
