import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BareRun } from './bare-run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The engine alone in as many processes as the service has, all at once: what the service's throughput is held against. */
export async function measureBarePipelines(
  modelPath: string,
  photos: readonly string[],
  { processes, seconds }: { processes: number; seconds: number },
): Promise<{ perSecond: number; milliseconds: number[] }> {
  const command = ['--import', 'tsx', 'bench/speed/bare-run.ts', modelPath, String(seconds), ...photos];
  const running = Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, command, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    const ready = new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        output += text;
        resolve();
      });
      child.once('exit', () => reject(new Error('A bare pipeline ended before it was ready.')));
    });
    return { child, ready, closed: once(child, 'close'), output: () => output };
  });
  await Promise.all(running.map(({ ready }) => ready));
  for (const { child } of running) child.stdin.end('go\n');
  await Promise.all(running.map(({ closed }) => closed));
  const runs = running.map(({ output }) => JSON.parse(output().trim().split('\n').at(-1) ?? '') as BareRun);
  return {
    perSecond: runs.reduce((sum, run) => sum + run.count / run.seconds, 0),
    milliseconds: runs.flatMap((run) => run.milliseconds),
  };
}
