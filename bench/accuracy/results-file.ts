import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MeasuredReport } from './measured-report.ts';
import { type PlannedRow, rowKey } from './plan-rows.ts';

/** What a row's figures depend on, beside its images. A row with another stamp is out of date. */
export interface RowStamp {
  /** First half of the digest of network and description. */
  readonly network: string;
  /** Release, and version of the algorithm. */
  readonly version: string;
}

export interface MeasuredRow {
  readonly row: PlannedRow;
  readonly stamp: RowStamp;
  /** Day, ISO 8601. */
  readonly date: string;
  readonly machine: string;
  /** Cores that other work kept busy just before the row began, or that the host gave to others during it. A high load makes times too long. */
  readonly load: number;
  readonly report: MeasuredReport;
}

export async function readResults(path: string): Promise<MeasuredRow[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  return JSON.parse(text) as MeasuredRow[];
}

/** Writes beside the file and renames, so that a run that is stopped leaves complete results. */
export async function writeResults(path: string, rows: readonly MeasuredRow[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`);
  await rename(`${path}.new`, path);
}

/** Whether the row was measured with this network and version. */
export function isMeasured(rows: readonly MeasuredRow[], planned: PlannedRow, stamp: RowStamp): boolean {
  const found = rows.find(({ row }) => rowKey(row) === rowKey(planned));
  return found?.stamp.network === stamp.network && found.stamp.version === stamp.version;
}

/** The rows with the new one in place of an earlier row of the same key. */
export function withRow(rows: readonly MeasuredRow[], added: MeasuredRow): MeasuredRow[] {
  return [...rows.filter(({ row }) => rowKey(row) !== rowKey(added.row)), added];
}
