import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Model } from '../../../../src/client/shapes.ts';
import { itemQuery } from '../../api/queries.ts';
import { ItemTile } from '../../components/item-tile.tsx';
import { Card } from '../../components/page.tsx';
import { scoreText } from '../../components/score-text.ts';
import { t } from '../../i18n/text.ts';
import { anomalyMapQuery } from '../viewer/anomaly-layer.tsx';
import { contourOf } from '../viewer/anomaly-map.ts';
import { Legend } from './chart.tsx';
import { type ScorePair, verdictAt } from './score-statistics.ts';

/** One model's colour on the thumbnails, beside a dark edge. */
const colours = ['#ffd54a', '#4dd0ff'] as const;
const swatches = ['size-3 rounded-full bg-[#ffd54a]', 'size-3 rounded-full bg-[#4dd0ff]'] as const;
const shownAtMost = 12;

type Two<T> = readonly [T, T];

interface ComparedItemsProps {
  /** Items on which the models differ. */
  pairs: readonly ScorePair[];
  models: Two<Model>;
  names: Two<string>;
  thresholds: Two<number>;
  /** The same items as a table. */
  children: ReactNode;
}

/** The items on which the models differ, by who is right, with what each model outlines. */
export function ComparedItems({ pairs, models, names, thresholds, children }: ComparedItemsProps) {
  const isRight = ({ item, one }: ScorePair) => item.user_result === verdictAt(one, thresholds[0]);
  const judged = pairs.filter(({ item }) => item.user_result !== null);
  const groups = [
    [t('onlyRight', { name: names[0] }), judged.filter(isRight)],
    [t('onlyRight', { name: names[1] }), judged.filter((pair) => !isRight(pair))],
    [t('unreviewed'), pairs.filter(({ item }) => item.user_result === null)],
  ] as const;
  return (
    <Card title={t('differingItems')}>
      <Legend
        className="mb-3"
        entries={[
          [names[0], swatches[0]],
          [names[1], swatches[1]],
        ]}
      />
      <div className="flex flex-col gap-4">
        {groups.map(([title, group], index) =>
          group.length === 0 ? null : (
            // The names of two models may be the same.
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups are always these
            <section key={index}>
              <h3 className="mb-2 font-medium">
                {title}: {group.length}
              </h3>
              <ul className="flex gap-2 overflow-x-auto pb-2">
                {group.slice(0, shownAtMost).map((pair) => (
                  <li key={pair.item.item_id} className="w-36 shrink-0">
                    <ItemTile item={pair.item}>
                      <Contours itemId={pair.item.item_id} models={models} thresholds={thresholds} />
                      <span className="flex items-center gap-1 px-1.5 pb-1 text-xs font-semibold tabular-nums">
                        <span className={swatches[0]} />
                        {scoreText(pair.one, thresholds[0], 3)}
                        <span className={`ml-1 ${swatches[1]}`} />
                        {scoreText(pair.other, thresholds[1], 3)}
                      </span>
                    </ItemTile>
                  </li>
                ))}
                {group.length > shownAtMost && (
                  <li className="flex shrink-0 items-center px-3 text-ink-soft">
                    {t('andMore', { n: group.length - shownAtMost })}
                  </li>
                )}
              </ul>
            </section>
          ),
        )}
        {children}
      </div>
    </Card>
  );
}

function Contours({ itemId, models, thresholds }: { itemId: string; models: Two<Model>; thresholds: Two<number> }) {
  const item = useQuery(itemQuery(itemId)).data;
  const [image] = item?.images ?? [];
  if (!item || !image) return null;
  return (
    <svg
      viewBox={`0 0 ${image.width} ${image.height}`}
      className="pointer-events-none absolute top-0 left-0 aspect-square w-full"
      aria-hidden="true"
    >
      {models.map(({ model_id: id }, index) => {
        const assessment = item.assessments?.find((one) => one.model_id === id);
        const url = assessment?.images?.find((one) => one.name === image.name)?.map_url;
        return url ? (
          <Contour key={id} url={url} size={image} limit={thresholds[index] ?? 0.5} colour={colours[index] ?? '#fff'} />
        ) : null;
      })}
    </svg>
  );
}

interface ContourProps {
  url: string;
  size: { readonly width: number; readonly height: number };
  limit: number;
  colour: string;
}

function Contour({ url, size, limit, colour }: ContourProps) {
  const map = useQuery(anomalyMapQuery(url)).data;
  if (!map) return null;
  const line = { d: contourOf(map, limit), fill: 'none', vectorEffect: 'non-scaling-stroke' } as const;
  return (
    <g transform={`scale(${size.width / map.width} ${size.height / map.height})`} data-testid="compared-contour">
      <path {...line} stroke="#000" strokeOpacity="0.7" strokeWidth="3.5" />
      <path {...line} stroke={colour} strokeWidth="1.5" />
    </g>
  );
}
