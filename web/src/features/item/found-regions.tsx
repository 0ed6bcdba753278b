import { useQuery } from '@tanstack/react-query';
import type { Annotation } from '../../../../src/client/shapes.ts';
import { labelsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { scoreText } from '../../components/score-text.ts';
import { t } from '../../i18n/text.ts';
import type { ItemView } from './use-item-keys.ts';

/** What the model found on the image: kind, size and score of each region, and what it is different from. */
export function FoundRegions({ view, regions }: { view: ItemView; regions: readonly Annotation[] }) {
  const labels = useQuery(labelsQuery()).data ?? [];
  const { assessment, explain } = view;
  const nameOf = (label: number) => labels.find((one) => one.label === label)?.name ?? t('labelNumber', { n: label });
  return (
    <>
      {regions.length === 0 && <p className="text-[13px] text-ink-soft">{t('noFoundRegions')}</p>}
      <ul className="flex flex-col gap-1.5 empty:hidden">
        {regions.map((region, index) => {
          const n = index + 1;
          const [width, height] = [region.x_max - region.x_min, region.y_max - region.y_min].map(Math.round);
          return (
            <li key={region.annotation_id ?? index} className="flex items-center gap-2 text-[13px]">
              <span className="min-w-0 flex-1">
                <span className="block font-medium">
                  {t('foundRegion', { n })}
                  {region.label != null && ` · ${nameOf(region.label)}`}
                </span>
                <span className="text-ink-soft tabular-nums">
                  {width}
                  {'\u00a0×\u00a0'}
                  {height}
                  {'\u00a0px · '}
                  {t('score')} {scoreText(Number(region.notes), assessment?.threshold, 3)}
                </span>
              </span>
              <Button
                label={t('nearestShort')}
                aria-label={t('explainRegion', { n })}
                size="small"
                onClick={() => explain(region)}
              />
            </li>
          );
        })}
      </ul>
      <Button
        label={t('nearestTitle')}
        size="small"
        className="self-start"
        aria-keyshortcuts="C"
        disabled={view.image?.url === undefined}
        onClick={() => explain()}
      />
    </>
  );
}
