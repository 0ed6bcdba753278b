import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { useText } from '../../i18n/use-text.ts';
import { axis, Chart, scoreRange } from './chart.tsx';
import { binScores } from './threshold-effect.ts';

export interface ScoreSeries {
  readonly good: readonly number[];
  readonly ng: readonly number[];
  readonly open: readonly number[];
}

interface ScoreHistogramProps {
  series: ScoreSeries;
  threshold: number;
  saved: number;
  onThreshold: (threshold: number) => void;
}

const bins = 50;

export const roundThreshold = (value: number): number => Math.round(Math.max(0, Math.min(1, value)) * 1000) / 1000;

/** Good items and items without a verdict above the axis, NG items below it: no colour is needed to tell them apart. */
export function ScoreHistogram({ series, threshold, saved, onThreshold }: ScoreHistogramProps) {
  const t = useText();
  const area = useRef<HTMLDivElement>(null);
  const [low, high] = scoreRange([...series.good, ...series.ng, ...series.open, threshold, saved]);
  const data = useMemo(() => histogramData(series, low, high), [series, low, high]);
  const options = useCallback((colour: (name: string) => string) => histogramOptions(colour, low, high), [low, high]);
  const left = (score: number): string => `${(100 * (score - low)) / (high - low)}%`;
  const follow = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    if (box) onThreshold(roundThreshold(low + ((event.clientX - box.left) / box.width) * (high - low)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 0.05 : 0.005;
    const by = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onThreshold(roundThreshold(threshold + by));
  };
  return (
    <div
      className="relative cursor-ew-resize touch-none pb-10"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && follow(event)}
    >
      <Chart
        height={260}
        data={data}
        options={options}
        aria-label={t('histogramAlt', { good: series.good.length, ng: series.ng.length, open: series.open.length })}
      />
      {/* Covers the plot: the margins are the same as in the options below. */}
      <div ref={area} className="absolute inset-x-4 top-0 bottom-8">
        <div className="absolute top-0 right-0 bottom-9 bg-ng opacity-10" style={{ left: left(threshold) }} />
        <div className="absolute top-0 bottom-9 border-l border-dashed border-ink-soft" style={{ left: left(saved) }} />
        <div
          className="absolute inset-y-0 -translate-x-1/2 border-l-3 border-accent"
          style={{ left: left(threshold) }}
        />
        <div
          role="slider"
          tabIndex={0}
          aria-label={t('thresholdLine')}
          aria-valuemin={0}
          aria-valuemax={1}
          aria-valuenow={threshold}
          data-testid="threshold-handle"
          onKeyDown={onKeyDown}
          style={{ left: `clamp(1rem, ${left(threshold)}, 100% - 1rem)` }}
          className="absolute -bottom-8 flex h-9 -translate-x-1/2 items-center rounded-md bg-accent px-2.5 font-semibold text-accent-ink tabular-nums"
        >
          {threshold.toFixed(3)}
        </div>
      </div>
    </div>
  );
}

/** Centres of the bins, then heights from -1 to 1: good and open together, good, NG. */
function histogramData({ good, ng, open }: ScoreSeries, low: number, high: number): uPlot.AlignedData {
  const counts = (scores: readonly number[]) => binScores(scores, bins, low, high);
  const above = counts([...good, ...open]);
  const below = counts(ng);
  const tallest = Math.max(1, ...above, ...below);
  // The square root keeps single defects visible beside hundreds of good items.
  const heights = (column: readonly number[]) => column.map((count) => Math.sqrt(count / tallest));
  return [
    above.map((_, index) => low + ((index + 0.5) / bins) * (high - low)),
    heights(above),
    heights(counts(good)),
    heights(below).map((height) => -height),
  ];
}

function histogramOptions(
  colour: (name: string) => string,
  low: number,
  high: number,
): Omit<uPlot.Options, 'width' | 'height'> {
  const paths = uPlot.paths.bars?.({ size: [0.94, 100] });
  const bars = (name: string): uPlot.Series => ({
    fill: colour(name),
    width: 0,
    points: { show: false },
    ...(paths ? { paths } : {}),
  });
  const zero: uPlot.Axis = {
    size: 0,
    splits: () => [0],
    values: () => [''],
    grid: { stroke: colour('line-strong'), width: 1 },
  };
  return {
    padding: [4, 16, 0, 16],
    cursor: { show: false },
    legend: { show: false },
    scales: { x: { time: false, range: [low, high] }, y: { range: [-1.05, 1.05] } },
    axes: [axis(colour, 28), zero],
    series: [{}, bars('line-strong'), bars('ok'), bars('ng')],
  };
}
