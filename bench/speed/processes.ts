import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The process and all its descendants. */
export function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => new RegExp(`^PPid:\\s*${pid}$`, 'm').test(read(`/proc/${name}/status`)))
    .map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

/** Resident memory of processes in MiB. A shared page is divided among its processes (PSS), so that the sum is right. */
export function memoryOf(pids: readonly number[]): number {
  const kib = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0));
  return kib.reduce((sum, value) => sum + value, 0) / 1024;
}
