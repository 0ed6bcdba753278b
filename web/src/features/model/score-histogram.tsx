import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { binScores, scoreRange } from './bin-scores.ts';

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
const width = 1000;
const half = 120;
const axis = 26;
const height = 2 * half + axis;

export const roundThreshold = (value: number): number => Math.round(Math.max(0, Math.min(1, value)) * 1000) / 1000;

/** Good and not judged above the axis, NG below it, so that they are told apart without colour. */
export function ScoreHistogram({ series, threshold, saved, onThreshold }: ScoreHistogramProps) {
  const t = useText();
  const chart = useRef<SVGSVGElement>(null);
  const { low, high, toX, toHeight, counts } = layOut(series, threshold, saved);
  const follow = (event: PointerEvent) => {
    const box = chart.current?.getBoundingClientRect();
    if (box) onThreshold(roundThreshold(low + ((event.clientX - box.left) / box.width) * (high - low)));
  };
  return (
    <div>
      <svg
        ref={chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-64 w-full touch-none cursor-ew-resize"
        role="img"
        aria-label={t('histogramAlt', { good: series.good.length, ng: series.ng.length, open: series.open.length })}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          follow(event);
        }}
        onPointerMove={(event) => event.buttons === 1 && follow(event)}
      >
        <rect
          x={toX(threshold)}
          y="0"
          width={Math.max(0, width - toX(threshold))}
          height={height}
          className="fill-ng-soft"
          opacity="0.6"
        />
        <Bars counts={counts} toHeight={toHeight} />
        <line x1="0" x2={width} y1={half} y2={half} className="stroke-line-strong" vectorEffect="non-scaling-stroke" />
        <line
          x1={toX(saved)}
          x2={toX(saved)}
          y1="0"
          y2={height - axis}
          className="stroke-ink-soft"
          strokeDasharray="4 4"
          vectorEffect="non-scaling-stroke"
        />
        <line
          x1={toX(threshold)}
          x2={toX(threshold)}
          y1="0"
          y2={height - axis}
          className="stroke-accent"
          strokeWidth="3"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <ThresholdHandle at={toX(threshold) / width} {...{ threshold, onThreshold, low, high }} />
    </div>
  );
}

function layOut(series: ScoreSeries, threshold: number, saved: number) {
  const { low, high } = scoreRange([...series.good, ...series.ng, ...series.open, threshold, saved]);
  const counts = {
    good: binScores(series.good, bins, low, high),
    open: binScores(series.open, bins, low, high),
    ng: binScores(series.ng, bins, low, high),
  };
  const tallest = Math.max(1, ...counts.good.map((count, index) => count + (counts.open[index] ?? 0)), ...counts.ng);
  return {
    low,
    high,
    counts,
    toX: (score: number): number => ((score - low) / (high - low)) * width,
    // A root keeps single defects visible beside hundreds of good items.
    toHeight: (count: number): number => Math.sqrt(count / tallest) * (half - 8),
  };
}

interface BarsProps {
  counts: { good: readonly number[]; open: readonly number[]; ng: readonly number[] };
  toHeight: (count: number) => number;
}

function Bars({ counts, toHeight }: BarsProps) {
  const step = width / bins;
  return counts.good.map((good, index) => {
    const open = counts.open[index] ?? 0;
    const goodHeight = toHeight(good);
    const bothHeight = toHeight(good + open);
    const x = index * step + 1;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place
      <g key={index}>
        <rect
          x={x}
          y={half - bothHeight}
          width={step - 2}
          height={bothHeight - goodHeight}
          className="fill-line-strong"
        />
        <rect x={x} y={half - goodHeight} width={step - 2} height={goodHeight} className="fill-ok" />
        <rect x={x} y={half} width={step - 2} height={toHeight(counts.ng[index] ?? 0)} className="fill-ng" />
      </g>
    );
  });
}

interface ThresholdHandleProps {
  at: number;
  threshold: number;
  low: number;
  high: number;
  onThreshold: (threshold: number) => void;
}

function ThresholdHandle({ at, threshold, low, high, onThreshold }: ThresholdHandleProps) {
  const t = useText();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 0.05 : 0.005;
    const by = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onThreshold(roundThreshold(threshold + by));
  };
  const track = useRef<HTMLDivElement>(null);
  const follow = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    if (box) onThreshold(roundThreshold(low + ((event.clientX - box.left) / box.width) * (high - low)));
  };
  return (
    <div ref={track} className="relative -mt-7 h-11">
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('thresholdLine')}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={threshold}
        data-testid="threshold-handle"
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => event.buttons === 1 && follow(event)}
        style={{ left: `${Math.max(3, Math.min(97, at * 100))}%` }}
        className="absolute flex h-9 -translate-x-1/2 cursor-ew-resize touch-none items-center rounded-md bg-accent px-2.5 font-semibold text-accent-ink tabular-nums"
      >
        {threshold.toFixed(3)}
      </div>
      <span className="absolute top-9 left-0 text-xs text-ink-soft tabular-nums">{low.toFixed(2)}</span>
      <span className="absolute top-9 right-0 text-xs text-ink-soft tabular-nums">{high.toFixed(2)}</span>
    </div>
  );
}
