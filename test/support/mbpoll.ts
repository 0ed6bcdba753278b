import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hasProgram } from './find-program.ts';

// Not synchronous: the server may run in this process.
const run = promisify(execFile);

export const hasMbpoll = hasProgram('mbpoll');

const names = ['ready', 'busy', 'valid', 'ok', 'ng', 'fault'];

/** What mbpoll, a client that is not ours, reads in one request; undefined where the server does not answer. */
export async function pollBits(port: number, unit: number): Promise<string | undefined> {
  const how = ['-m', 'tcp', '-a', String(unit), '-p', String(port), '-o', '1', '-1', '-q'];
  const what = ['-0', '-t', '1', '-r', '0', '-c', '6', '127.0.0.1'];
  const { stdout } = await run('mbpoll', [...how, ...what]).catch(() => ({ stdout: '' }));
  const bits = [...stdout.matchAll(/^\[(\d)\]:\s*([01])\s*$/gm)];
  if (bits.length !== names.length) return undefined;
  return names.filter((_, index) => bits[index]?.[2] === '1').join(' ');
}

/** Writes the trigger of a station, 1 and then 0. */
export async function pollTrigger(port: number, unit: number): Promise<void> {
  const how = ['-m', 'tcp', '-a', String(unit), '-p', String(port), '-q', '-0', '-t', '0', '-r', '0', '127.0.0.1'];
  for (const value of ['1', '0']) await run('mbpoll', [...how, value]);
}
