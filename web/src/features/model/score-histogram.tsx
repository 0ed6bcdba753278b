import { Slider } from 'radix-ui';
import { useCallback, useMemo } from 'react';
import type uPlot from 'uplot';
import { t } from '../../i18n/text.ts';
import { axis, Chart, type ChartOptions } from './chart.tsx';
import { binEdges, binScores } from './score-statistics.ts';
import type { ThresholdChoice } from './threshold-choice.ts';
import { ChoiceMark } from './threshold-choices.tsx';

interface ScoreSeries {
  readonly good: readonly number[];
  readonly ng: readonly number[];
  readonly open: readonly number[];
}

interface ScoreHistogramProps {
  series: ScoreSeries;
  threshold: number;
  saved: number;
  /** Thresholds to choose from. */
  marks: readonly ThresholdChoice[];
  /** The part of the scale that is drawn, the same whatever the threshold is. */
  range: readonly [low: number, high: number];
  onThreshold: (threshold: number) => void;
}

const bins = 50;

/** Good items and items without a verdict above the axis, NG items below it: no colour is needed to tell them apart. */
export function ScoreHistogram({ series, threshold, saved, marks, range, onThreshold }: ScoreHistogramProps) {
  const { good, ng, open } = series;
  const [low, high] = range;
  const tallest = useMemo(() => tallestBin(series, low, high), [series, low, high]);
  const data = useMemo(
    () => histogramData(series, binEdges(low, high, bins, threshold), tallest),
    [series, low, high, threshold, tallest],
  );
  const options = useCallback(
    (colour: (name: string) => string) => histogramOptions(colour, low, high, tallest),
    [low, high, tallest],
  );
  const inside = (score: number): number => Math.max(low, Math.min(high, score));
  const left = (score: number): string => `${(100 * (inside(score) - low)) / (high - low)}%`;
  return (
    <div className="relative">
      {/* Each in a row of its own: thresholds are often next to each other. */}
      <div className="relative mr-4 ml-10 h-17" aria-hidden="true">
        <span className="absolute bottom-0.5 -left-10 text-xs text-ink-soft">{t('axisItems')}</span>
        {marks.map(({ mark, threshold: value = Number.NaN }, row) =>
          value >= low && value <= high ? (
            <span
              key={mark}
              data-testid={`mark-${mark}`}
              title={value.toFixed(3)}
              className="absolute bottom-0 flex -translate-x-1/2 flex-col items-center"
              style={{ left: left(value), top: `${row * 1.375}rem` }}
            >
              <ChoiceMark mark={mark} />
              <span className="flex-1 border-l border-ink" />
            </span>
          ) : null,
        )}
      </div>
      <Chart
        height={314}
        data={data}
        options={options}
        aria-label={t('histogramAlt', { good: good.length, ng: ng.length, open: open.length })}
      />
      {/* Covers the plot: the margins are the same as in the options below. */}
      <Slider.Root
        min={low}
        max={high}
        step={0.001}
        value={[inside(threshold)]}
        onValueChange={([value = threshold]) => onThreshold(value)}
        className="absolute top-17 right-4 bottom-0 left-10 cursor-ew-resize touch-none"
      >
        <span className="absolute top-0 right-0 bottom-20.5 bg-ng opacity-10" style={{ left: left(threshold) }} />
        <span
          className="absolute top-0 bottom-20.5 border-l border-dashed border-ink-soft"
          style={{ left: left(saved) }}
        />
        <span
          className="absolute top-0 bottom-20 -translate-x-1/2 border-l-3 border-accent"
          style={{ left: left(threshold) }}
        />
        {/* Between the plot and the scores below it, so that the handle covers none of them. */}
        <div className="absolute inset-x-0 bottom-11.5 h-9">
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

/** The highest count of the equal bins, which the threshold does not divide. */
function tallestBin({ good, ng, open }: ScoreSeries, low: number, high: number): number {
  const edges = binEdges(low, high, bins, low);
  return Math.max(1, ...binScores([...good, ...open], edges), ...binScores(ng, edges));
}

/** The square root keeps single defects visible beside hundreds of good items. */
const heightOf = (count: number, tallest: number): number => Math.sqrt(count / tallest);

/** Lower edges of the bins, upper edges, then heights from -1 to 1: good and open together, good, NG. */
function histogramData({ good, ng, open }: ScoreSeries, edges: readonly number[], tallest: number): uPlot.AlignedData {
  const heights = (scores: readonly number[]) => binScores(scores, edges).map((count) => heightOf(count, tallest));
  return [
    edges.slice(0, -1),
    edges.slice(1),
    heights([...good, ...open]),
    heights(good),
    heights(ng).map((height) => -height),
  ];
}

/** A bar for each bin, between its edges. */
function drawBars(plot: uPlot, seriesIndex: number): uPlot.Series.Paths {
  const path = new Path2D();
  const [lower = [], upper = []] = plot.data;
  const ground = plot.valToPos(0, 'y', true);
  plot.data[seriesIndex]?.forEach((height, index) => {
    if (!height) return;
    const from = plot.valToPos(lower[index] ?? 0, 'x', true);
    const to = plot.valToPos(upper[index] ?? 0, 'x', true);
    const top = plot.valToPos(height, 'y', true);
    const gap = Math.min(devicePixelRatio, (to - from) / 4);
    path.rect(from + gap / 2, Math.min(top, ground), to - from - gap, Math.abs(top - ground));
  });
  return { fill: path, stroke: null };
}

/** Counts to label on either side of the axis, far enough from one another. */
function labelledCounts(tallest: number): number[] {
  const labelled: number[] = [];
  for (let count = 1; count <= tallest; count *= String(count).startsWith('2') ? 2.5 : 2) {
    const below = labelled.at(-1) ?? 0;
    if (heightOf(count, tallest) - heightOf(below, tallest) >= 0.25) labelled.push(count);
  }
  return labelled.length > 0 ? labelled : [tallest];
}

function histogramOptions(colour: (name: string) => string, low: number, high: number, tallest: number): ChartOptions {
  const bars = (name: string): uPlot.Series => ({
    fill: colour(name),
    width: 0,
    points: { show: false },
    paths: drawBars,
  });
  const counts = labelledCounts(tallest);
  const labels = new Map(
    [0, ...counts, ...counts.map((count) => -count)].map((count) => {
      return [Math.sign(count) * heightOf(Math.abs(count), tallest), String(Math.abs(count))];
    }),
  );
  return {
    padding: [4, 16, 0, 0],
    scales: { x: { time: false, range: [low, high] }, y: { range: [-1.05, 1.05] } },
    axes: [
      { ...axis(colour, 64), gap: 41, label: t('score'), labelSize: 18, labelGap: 0 },
      {
        ...axis(colour, 40),
        splits: () => [...labels.keys()],
        values: (_plot, splits) => splits.map((split) => labels.get(split) ?? ''),
      },
    ],
    series: [{}, { show: false }, bars('line-strong'), bars('ok'), bars('ng')],
  };
}
