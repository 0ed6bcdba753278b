import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MeasuredReport } from './measured-report.ts';
import type { PlannedRow } from './plan-rows.ts';
import type { MeasuredRow, RowStamp } from './results-file.ts';

const PROGRAM = fileURLToPath(new URL('row-process.ts', import.meta.url));

function machineName(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

const LOOK_MS = 2000;

/** How many cores other processes keep busy. The system's load average would still include the row before this one. */
async function busyCores(): Promise<number> {
  const look = () =>
    cpus().map(({ times }) => ({ idle: times.idle, all: Object.values(times).reduce((a, b) => a + b) }));
  const before = look();
  await pause(LOOK_MS);
  const shares = look().map(({ idle, all }, core) => {
    const past = before[core] ?? { idle: 0, all: 0 };
    return 1 - (idle - past.idle) / Math.max(1, all - past.all);
  });
  return shares.reduce((sum, share) => sum + share, 0);
}

const TICKS_PER_SECOND = 100;

/** Processor time that the host of a virtual machine gave to others (steal time of Linux), all cores together. */
async function stolenSeconds(): Promise<number> {
  const total = await readFile('/proc/stat', 'utf8').catch(() => '');
  return Number(total.split(/\s+/)[8] ?? 0) / TICKS_PER_SECOND;
}

/** Measures a row in a process of its own, and how busy the machine was meanwhile. */
export async function measureRow(
  row: PlannedRow,
  stamp: RowStamp,
  folders: { readonly data: string; readonly networks: string | undefined },
): Promise<MeasuredRow> {
  const words = [JSON.stringify(row), folders.data, ...(folders.networks ? [folders.networks] : [])];
  const busy = await busyCores();
  const [started, stolenBefore] = [performance.now(), await stolenSeconds()];
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', PROGRAM, ...words]);
  const stolen = (await stolenSeconds()) - stolenBefore;
  const load = busy + stolen / ((performance.now() - started) / 1000);
  const report = JSON.parse(stdout) as MeasuredReport;
  return { row, stamp, date: new Date().toISOString().slice(0, 10), machine: machineName(), load, report };
}
