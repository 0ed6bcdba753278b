import { useText } from '../../i18n/use-text.ts';
import type { ScorePair } from './compare-scores.ts';

interface ScoreScatterProps {
  pairs: readonly ScorePair[];
  names: readonly [string, string];
  thresholds: readonly [number, number];
}

const side = 320;

/** A point an item: rounds are good by a person's word, diamonds NG, small dots not judged. */
export function ScoreScatter({ pairs, names, thresholds }: ScoreScatterProps) {
  const t = useText();
  const [x, y] = [thresholds[0] * side, side - thresholds[1] * side];
  return (
    <svg
      viewBox={`-34 -8 ${side + 44} ${side + 44}`}
      role="img"
      aria-label={t('scatterAlt')}
      className="mx-auto w-full max-w-lg"
    >
      <rect width={side} height={side} className="fill-sunken" />
      <line x1={x} x2={x} y1="0" y2={side} className="stroke-accent" strokeDasharray="4 3" />
      <line x1="0" x2={side} y1={y} y2={y} className="stroke-accent" strokeDasharray="4 3" />
      {pairs.map(({ item, one, other }) => {
        const [cx, cy] = [one * side, side - other * side];
        if (item.user_result === 'NG') {
          return <path key={item.item_id} d={`M${cx} ${cy - 5}l5 5-5 5-5-5z`} className="fill-ng" opacity="0.8" />;
        }
        const good = item.user_result === 'OK';
        return (
          <circle
            key={item.item_id}
            cx={cx}
            cy={cy}
            r={good ? 3.5 : 2}
            className={good ? 'fill-none stroke-ok' : 'fill-ink-soft'}
            strokeWidth="1.8"
          />
        );
      })}
      <text x={side / 2} y={side + 24} textAnchor="middle" fontSize="12" className="fill-ink-soft">
        {names[0]}
      </text>
      <text
        transform={`translate(-16 ${side / 2}) rotate(-90)`}
        textAnchor="middle"
        fontSize="12"
        className="fill-ink-soft"
      >
        {names[1]}
      </text>
    </svg>
  );
}
