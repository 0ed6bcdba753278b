import { arch, cpus, release, totalmem } from 'node:os';
import { type Figure, isHeld, type Section } from './figure.ts';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly system: string;
  readonly node: string;
  /** Processes that wanted a core when the run began. Above the number of cores, times are too long. */
  readonly loadBefore: number;
}

export function describeMachine(loadBefore: number): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? arch(),
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${release()} ${arch()}`,
    node: process.version,
    loadBefore,
  };
}

const short = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : value < 1 ? 3 : 2);

function limitText({ limit, unit }: Figure): string {
  if (limit?.least !== undefined) return `≥ ${limit.least} ${unit}`;
  return limit?.most !== undefined ? `≤ ${limit.most} ${unit}` : '';
}

/** The figure as a share of its limit; 1 is exactly at the limit. */
function ratioText({ value, limit }: Figure): string {
  const bound = limit?.least ?? limit?.most;
  return bound ? (value / bound).toFixed(2) : '';
}

function row(figure: Figure): string {
  const { name, unit, value, spread, note } = figure;
  const runs = spread ? `${short(spread.min)} / ${short(spread.median)} / ${short(spread.p95)} (${spread.runs})` : '';
  const held = isHeld(figure);
  const verdict = held === undefined ? '' : held ? 'yes' : '**no**';
  const label = note ? `${name}; ${note}` : name;
  return `| ${label} | ${short(value)} ${unit} | ${runs} | ${limitText(figure)} | ${ratioText(figure)} | ${verdict} |`;
}

/** The report as Markdown. */
export function renderReport(machine: Machine, sections: readonly Section[], seconds: number): string {
  const { processor, cores, memoryGib, system, node, loadBefore } = machine;
  const lines = [
    '# Speed',
    '',
    `Made by \`npm run bench\` in ${seconds.toFixed(0)} s on ${processor}, ${cores} cores, ${memoryGib} GiB; ${system}, Node ${node};`,
    `${loadBefore.toFixed(1)} processes wanted a core when it began. Ratios are of figures taken side by side in this run.`,
  ];
  for (const { title, method, figures } of sections) {
    lines.push('', `## ${title}`, method, '');
    lines.push('| Figure | Value | Min / median / p95 (runs) | Limit | Value : limit | Held |');
    lines.push('|---|---|---|---|---|---|', ...figures.map(row));
  }
  return `${lines.join('\n')}\n`;
}
