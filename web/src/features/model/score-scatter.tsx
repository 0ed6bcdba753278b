import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type uPlot from 'uplot';
import { itemPath } from '../../components/item-tile.tsx';
import { t } from '../../i18n/text.ts';
import { axis, Chart, type ChartOptions, scoreRange } from './chart.tsx';
import type { ScorePair } from './score-statistics.ts';

export interface ComparedPairs {
  pairs: readonly ScorePair[];
  names: readonly [string, string];
  thresholds: readonly [number, number];
}

const nearPixels = 10;

/**
 * A point for each item: a circle is good, a diamond NG, a small dot has no verdict of a person. A click opens the item;
 * the tables of the screen have the same items as links.
 */
export function ScoreScatter({ pairs, names: [nameX, nameY], thresholds: [thresholdX, thresholdY] }: ComparedPairs) {
  const navigate = useNavigate();
  const { data, options } = useMemo(() => {
    const range = scoreRange([...pairs.flatMap(({ one, other }) => [one, other]), thresholdX, thresholdY]);
    const sorted = [...pairs].sort((a, b) => a.one - b.one);
    const scores = (verdict: string | null) =>
      sorted.map(({ item, other }) => (item.user_result === verdict ? other : null));
    const data: uPlot.AlignedData = [sorted.map(({ one }) => one), scores(null), scores('OK'), scores('NG')];
    const listen = (plot: uPlot) => {
      plot.over.onmousemove = (event) => {
        const pair = nearest(sorted, plot, event);
        plot.over.title = pair ? `${pair.item.name}: ${pair.one.toFixed(3)}, ${pair.other.toFixed(3)}` : '';
        plot.over.style.cursor = pair ? 'pointer' : '';
      };
      plot.over.onclick = (event) => {
        const pair = nearest(sorted, plot, event);
        if (pair) navigate(itemPath(pair.item.item_id));
      };
    };
    const options = (colour: (name: string) => string): ChartOptions => ({
      padding: [8, 16, 0, 0],
      scales: { x: { time: false, range }, y: { range } },
      axes: [
        { ...axis(colour, 32), label: nameX },
        { ...axis(colour, 44), label: nameY },
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
    });
    return { data, options };
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

/** The point under the pointer, or beside it. */
function nearest(pairs: readonly ScorePair[], plot: uPlot, event: MouseEvent): ScorePair | undefined {
  let closest: ScorePair | undefined;
  let least = nearPixels;
  for (const pair of pairs) {
    const distance = Math.hypot(
      plot.valToPos(pair.one, 'x') - event.offsetX,
      plot.valToPos(pair.other, 'y') - event.offsetY,
    );
    if (distance > least) continue;
    closest = pair;
    least = distance;
  }
  return closest;
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
  const line = (name: string, fromX: number, fromY: number, toX: number, toY: number) => {
    ctx.strokeStyle = colour(name);
    ctx.beginPath();
    ctx.moveTo(fromX, fromY);
    ctx.lineTo(toX, toY);
    ctx.stroke();
  };
  const x = plot.valToPos(thresholdX, 'x', true);
  const y = plot.valToPos(thresholdY, 'y', true);
  ctx.save();
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  line('line-strong', left, top + height, left + width, top);
  line('accent', x, top, x, top + height);
  line('accent', left, y, left + width, y);
  ctx.restore();
}
