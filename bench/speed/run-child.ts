import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { computeEnvironment, computeFlags } from '../../src/jobs/compute/fork-entry.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const canPin = spawnSync('taskset', ['-p', String(process.pid)]).status === 0;

/** Runs a program in the environment of compute processes and reads its last line as JSON. @throws Error with its output where it fails */
export async function runChild<T>(command: readonly string[], { oneCore = false } = {}): Promise<T> {
  const pin = oneCore && canPin ? ['taskset', '-c', String(availableParallelism() - 1)] : [];
  const [program = '', ...rest] = [...pin, ...command];
  const single = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', MKL_NUM_THREADS: '1' };
  const env = { ...process.env, ...computeEnvironment, ...(oneCore ? single : {}) };
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

/** Bundles an entry of this folder as the build bundles the service. @returns the command that runs it as a compute process */
export async function bundledRun(entry: string, ...args: string[]): Promise<string[]> {
  const outfile = `.tmp/bench/${entry}.js`;
  await build({
    absWorkingDir: root,
    entryPoints: [`bench/speed/${entry}.ts`],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return [process.execPath, ...computeFlags, outfile, ...args];
}

interface KensaRunOptions {
  /** 0: all training images. */
  readonly limit?: number;
  /** A folder of networks beside our own. */
  readonly networks?: string | undefined;
}

export const kensaRun = (
  folder: string,
  backbone: string,
  threads: number,
  { limit = 0, networks }: KensaRunOptions = {},
): Promise<string[]> =>
  bundledRun('kensa-run', folder, backbone, String(threads), String(limit), ...(networks ? [networks] : []));
