import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type uPlot from 'uplot';
import { useText } from '../../i18n/use-text.ts';
import { axis, Chart, scoreRange } from './chart.tsx';
import type { ScorePair } from './compare-scores.ts';

interface ScoreScatterProps {
  pairs: readonly ScorePair[];
  names: readonly [string, string];
  thresholds: readonly [number, number];
}

const nearPixels = 10;

/**
 * A point for each item: a circle is good, a diamond NG, a small dot has no verdict of a person. A click opens the item;
 * the tables of the screen have the same items as links.
 */
export function ScoreScatter({ pairs, names, thresholds }: ScoreScatterProps) {
  const t = useText();
  const navigate = useNavigate();
  const [nameX, nameY] = names;
  const [thresholdX, thresholdY] = thresholds;
  const { data, options } = useMemo(() => {
    const range = scoreRange([...pairs.flatMap(({ one, other }) => [one, other]), thresholdX, thresholdY]);
    const sorted = [...pairs].sort((a, b) => a.one - b.one);
    const nearest = (plot: uPlot, event: MouseEvent): ScorePair | undefined => {
      const distance = ({ one, other }: ScorePair): number =>
        Math.hypot(plot.valToPos(one, 'x') - event.offsetX, plot.valToPos(other, 'y') - event.offsetY);
      const closest = sorted.reduce<ScorePair | undefined>(
        (best, pair) => (best && distance(best) <= distance(pair) ? best : pair),
        undefined,
      );
      return closest && distance(closest) <= nearPixels ? closest : undefined;
    };
    const listen = (plot: uPlot) => {
      plot.over.addEventListener('mousemove', (event) => {
        const pair = nearest(plot, event);
        plot.over.title = pair ? `${pair.item.name}: ${pair.one.toFixed(3)}, ${pair.other.toFixed(3)}` : '';
        plot.over.style.cursor = pair ? 'pointer' : '';
      });
      plot.over.addEventListener('click', (event) => {
        const pair = nearest(plot, event);
        if (pair) navigate(`/items/${pair.item.item_id}?type=prediction`);
      });
    };
    const scores = (verdict: string | null) =>
      sorted.map(({ item, other }) => (item.user_result === verdict ? other : null));
    const scatter: uPlot.AlignedData = [sorted.map(({ one }) => one), scores(null), scores('OK'), scores('NG')];
    return {
      data: scatter,
      options: (colour: (name: string) => string): Omit<uPlot.Options, 'width' | 'height'> => ({
        padding: [8, 16, 0, 0],
        cursor: { show: false },
        legend: { show: false },
        scales: { x: { time: false, range }, y: { range } },
        axes: [
          { ...axis(colour, 32), label: nameX, labelFont: '12px system-ui' },
          { ...axis(colour, 44), label: nameY, labelFont: '12px system-ui' },
        ],
        series: [
          {},
          points(colour('ink-soft'), { size: 5, fill: colour('ink-soft') }),
          points(colour('ok'), { size: 8, fill: colour('surface') }),
          points(colour('ng'), { size: 10, fill: colour('ng'), paths: diamonds }),
        ],
        hooks: {
          ready: [listen],
          drawAxes: [(plot) => drawLines(plot, colour, thresholdX, thresholdY)],
        },
      }),
    };
  }, [pairs, nameX, nameY, thresholdX, thresholdY, navigate]);
  return (
    <Chart
      height={400}
      data={data}
      options={options}
      aria-label={t('scatterAlt')}
      data-testid="scatter"
      className="mx-auto w-full max-w-lg"
    />
  );
}

function points(stroke: string, look: uPlot.Series.Points): uPlot.Series {
  return { stroke, paths: () => null, points: { show: true, width: 1.8, stroke, ...look } };
}

function diamonds(plot: uPlot, seriesIndex: number): uPlot.Series.Points.Paths {
  const path = new Path2D();
  const radius = 5 * devicePixelRatio;
  const [xs, ...series] = plot.data;
  series[seriesIndex - 1]?.forEach((value, index) => {
    if (value == null) return;
    const x = plot.valToPos(xs[index] ?? 0, 'x', true);
    const y = plot.valToPos(value, 'y', true);
    path.moveTo(x, y - radius);
    path.lineTo(x + radius, y);
    path.lineTo(x, y + radius);
    path.lineTo(x - radius, y);
    path.closePath();
  });
  return { fill: path };
}

/** The diagonal of equal scores, and both thresholds. */
function drawLines(plot: uPlot, colour: (name: string) => string, thresholdX: number, thresholdY: number): void {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const line = (name: string, from: readonly [number, number], to: readonly [number, number]) => {
    ctx.strokeStyle = colour(name);
    ctx.beginPath();
    ctx.moveTo(...from);
    ctx.lineTo(...to);
    ctx.stroke();
  };
  const x = plot.valToPos(thresholdX, 'x', true);
  const y = plot.valToPos(thresholdY, 'y', true);
  ctx.save();
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  line('line-strong', [left, top + height], [left + width, top]);
  line('accent', [x, top], [x, top + height]);
  line('accent', [left, y], [left + width, y]);
  ctx.restore();
}
