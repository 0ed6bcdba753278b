import { type ComponentProps, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { theme } from '../../preferences.ts';
import { useStore } from '../../store.ts';
import 'uplot/dist/uPlot.min.css';

export type ChartOptions = Omit<uPlot.Options, 'width' | 'height'>;

interface ChartProps extends ComponentProps<'div'> {
  height: number;
  data: uPlot.AlignedData;
  /** A new function draws a new chart; new data only new marks. */
  options: (colour: (name: string) => string) => ChartOptions;
}

/** A chart as wide as its frame, in the colours of the theme. For screen readers it is one image. */
export function Chart({ height, data, options, ...frameProps }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const shownTheme = useStore(theme);
  const drawn = useRef<uPlot>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours change with the theme; new data needs no new chart
  useEffect(() => {
    const node = frame.current;
    if (!node) return;
    const style = getComputedStyle(document.documentElement);
    const size = () => ({ width: node.clientWidth, height });
    const quiet = { cursor: { show: false }, legend: { show: false } };
    const plot = new uPlot(
      { ...quiet, ...size(), ...options((name) => style.getPropertyValue(`--${name}`)) },
      data,
      node,
    );
    drawn.current = plot;
    const observer = new ResizeObserver(() => plot.setSize(size()));
    observer.observe(node);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [height, options, shownTheme]);
  useEffect(() => drawn.current?.setData(data), [data]);
  return <div ref={frame} role="img" {...frameProps} />;
}

export function axis(colour: (name: string) => string, size: number): uPlot.Axis {
  return {
    size,
    stroke: colour('ink-soft'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
    labelFont: '12px system-ui',
  };
}

/** The part of the scale that holds the scores, a little wider. */
export function scoreRange(scores: readonly number[]): [low: number, high: number] {
  const least = scores.reduce((least, score) => Math.min(least, score), 1);
  const most = scores.reduce((most, score) => Math.max(most, score), 0);
  return [Math.max(0, Math.floor((least - 0.03) * 20) / 20), Math.min(1, Math.ceil((most + 0.03) * 20) / 20)];
}

/** @param entries are texts with the classes of their marks */
export function Legend({ entries, className }: { entries: readonly [string, string][]; className: string }) {
  return (
    <p className={`flex flex-wrap gap-x-5 text-[13px] ${className}`}>
      {entries.map(([text, mark]) => (
        <span key={text} className="inline-flex items-center gap-1.5">
          <span className={mark} />
          {text}
        </span>
      ))}
    </p>
  );
}
