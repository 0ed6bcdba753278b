import { Slider } from 'radix-ui';
import { useCallback, useMemo } from 'react';
import uPlot from 'uplot';
import { t } from '../../i18n/text.ts';
import { axis, Chart, type ChartOptions, scoreRange } from './chart.tsx';
import { binScores } from './score-statistics.ts';

interface ScoreSeries {
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

/** Good items and items without a verdict above the axis, NG items below it: no colour is needed to tell them apart. */
export function ScoreHistogram({ series, threshold, saved, onThreshold }: ScoreHistogramProps) {
  const { good, ng, open } = series;
  const [low, high] = scoreRange([...good, ...ng, ...open, threshold, saved]);
  const data = useMemo(() => histogramData(series, low, high), [series, low, high]);
  const options = useCallback((colour: (name: string) => string) => histogramOptions(colour, low, high), [low, high]);
  const left = (score: number): string => `${(100 * (score - low)) / (high - low)}%`;
  return (
    <div className="relative pb-10">
      <Chart
        height={260}
        data={data}
        options={options}
        aria-label={t('histogramAlt', { good: good.length, ng: ng.length, open: open.length })}
      />
      {/* Covers the plot: the margins are the same as in the options below. */}
      <Slider.Root
        min={low}
        max={high}
        step={0.001}
        value={[threshold]}
        onValueChange={([value = threshold]) => onThreshold(value)}
        className="absolute inset-x-4 top-0 bottom-0 cursor-ew-resize touch-none"
      >
        <span className="absolute top-0 right-0 bottom-17 bg-ng opacity-10" style={{ left: left(threshold) }} />
        <span
          className="absolute top-0 bottom-17 border-l border-dashed border-ink-soft"
          style={{ left: left(saved) }}
        />
        <span
          className="absolute top-0 bottom-8 -translate-x-1/2 border-l-3 border-accent"
          style={{ left: left(threshold) }}
        />
        <div className="absolute inset-x-0 bottom-0 h-9">
          {/* Hardly any width: Radix moves a wide thumb away from its value to keep it inside. */}
          <Slider.Thumb
            aria-label={t('threshold')}
            data-testid="threshold-handle"
            className="group flex h-9 w-px justify-center outline-none"
          >
            <span className="flex shrink-0 items-center rounded-md bg-accent px-2.5 font-semibold text-accent-ink tabular-nums outline-offset-2 outline-accent group-focus-visible:outline-2">
              {threshold.toFixed(3)}
            </span>
          </Slider.Thumb>
        </div>
      </Slider.Root>
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

function histogramOptions(colour: (name: string) => string, low: number, high: number): ChartOptions {
  const paths = uPlot.paths.bars?.({ size: [0.94, 100] });
  const bars = (name: string): uPlot.Series => ({
    fill: colour(name),
    width: 0,
    points: { show: false },
    ...(paths ? { paths } : {}),
  });
  return {
    padding: [4, 16, 0, 16],
    scales: { x: { time: false, range: [low, high] }, y: { range: [-1.05, 1.05] } },
    axes: [
      axis(colour, 28),
      { size: 0, splits: () => [0], values: () => [''], grid: { stroke: colour('line-strong'), width: 1 } },
    ],
    series: [{}, bars('line-strong'), bars('ok'), bars('ng')],
  };
}
