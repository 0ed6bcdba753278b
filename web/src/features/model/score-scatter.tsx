import { useNavigate } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { scoreRange } from './bin-scores.ts';
import type { ScorePair } from './compare-scores.ts';

interface ScoreScatterProps {
  pairs: readonly ScorePair[];
  names: readonly [string, string];
  thresholds: readonly [number, number];
}

const side = 320;

/** A point an item: rounds are good by a person's word, diamonds NG, small dots not judged. A click opens the item. */
export function ScoreScatter({ pairs, names, thresholds }: ScoreScatterProps) {
  const t = useText();
  const { low, high } = scoreRange([...pairs.flatMap(({ one, other }) => [one, other]), ...thresholds]);
  const place = (score: number): number => ((score - low) / (high - low)) * side;
  const [x, y] = [place(thresholds[0]), side - place(thresholds[1])];
  return (
    <svg
      viewBox={`-34 -8 ${side + 44} ${side + 44}`}
      role="img"
      aria-label={t('scatterAlt')}
      className="mx-auto w-full max-w-lg"
      data-testid="scatter"
    >
      <rect width={side} height={side} className="fill-sunken" />
      <line x1="0" x2={side} y1={side} y2="0" className="stroke-line-strong" strokeDasharray="1 4" />
      <line x1={x} x2={x} y1="0" y2={side} className="stroke-accent" strokeDasharray="4 3" />
      <line x1="0" x2={side} y1={y} y2={y} className="stroke-accent" strokeDasharray="4 3" />
      {pairs.map((pair) => (
        <Point key={pair.item.item_id} pair={pair} x={place(pair.one)} y={side - place(pair.other)} />
      ))}
      <g fontSize="10" className="fill-ink-soft">
        <text x="0" y={side + 12}>
          {low.toFixed(2)}
        </text>
        <text x={side} y={side + 12} textAnchor="end">
          {high.toFixed(2)}
        </text>
      </g>
      <g fontSize="12" className="fill-ink-soft">
        <text x={side / 2} y={side + 26} textAnchor="middle">
          {names[0]}
        </text>
        <text transform={`translate(-14 ${side / 2}) rotate(-90)`} textAnchor="middle">
          {names[1]}
        </text>
      </g>
    </svg>
  );
}

/** For the pointer only: the same items stand in the tables of the screen, as links. */
function Point({ pair, x, y }: { pair: ScorePair; x: number; y: number }) {
  const navigate = useNavigate();
  const { item, one, other } = pair;
  const verdict = item.user_result;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: part of a drawing that is one image to those who do not see it
    <g onClick={() => navigate(`/items/${item.item_id}?type=prediction`)} className="cursor-pointer">
      <title>{`${item.name}: ${one.toFixed(3)}, ${other.toFixed(3)}`}</title>
      {verdict === 'NG' ? (
        <path d={`M${x} ${y - 5}l5 5-5 5-5-5z`} className="fill-ng" opacity="0.8" />
      ) : (
        <circle
          cx={x}
          cy={y}
          r={verdict === 'OK' ? 3.5 : 2.5}
          className={verdict === 'OK' ? 'fill-surface stroke-ok' : 'fill-ink-soft'}
          fillOpacity={verdict === 'OK' ? 0.4 : 1}
          strokeWidth="1.8"
        />
      )}
    </g>
  );
}
