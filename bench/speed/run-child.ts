import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const canPin = spawnSync('taskset', ['-p', String(process.pid)]).status === 0;

/** Waits for a program and reads the last line that it prints as JSON. @throws Error with what it wrote, where it fails */
export async function runChild<T>(command: readonly string[], { oneCore = false } = {}): Promise<T> {
  const pin = oneCore && canPin ? ['taskset', '-c', String(availableParallelism() - 1)] : [];
  const [program = '', ...rest] = [...pin, ...command];
  const single = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', MKL_NUM_THREADS: '1' };
  const env = oneCore ? { ...process.env, ...single } : process.env;
  const child = spawn(program, rest, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${errors.slice(-2000)}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as T;
}

export const kensaRun = (folder: string, backbone: string, threads: number, limit = 0): string[] => [
  ...[process.execPath, '--import', 'tsx', 'bench/speed/kensa-run.ts'],
  ...[folder, backbone, String(threads), String(limit)],
];
