import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BareRun } from './bare-run.ts';
import { bundledRun } from './run-child.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface BarePipelines {
  /**
   * Runs all processes at once, for the seconds that they were opened with.
   * @param heatmaps whether a heatmap is drawn of each image
   * @returns images a second, all processes together
   */
  measure(heatmaps: boolean): Promise<number>;
  close(): Promise<void>;
}

/** The engine alone in as many processes as the service has, to compare the service's throughput with. */
export async function openBarePipelines(
  modelPath: string,
  images: readonly string[],
  { processes, seconds }: { processes: number; seconds: number },
): Promise<BarePipelines> {
  const [program = '', ...command] = await bundledRun('bare-run', modelPath, String(seconds), ...images);
  const running = Array.from({ length: processes }, () => {
    const child = spawn(program, command, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const nextLine = async (): Promise<string> => {
      const { value, done } = await lines.next();
      if (done) throw new Error('A bare pipeline has ended.');
      return value;
    };
    return { child, nextLine, closed: once(child, 'close') };
  });
  const nextLines = (): Promise<string[]> => Promise.all(running.map(({ nextLine }) => nextLine()));
  await nextLines();
  return {
    async measure(heatmaps) {
      for (const { child } of running) child.stdin.write(heatmaps ? 'heatmaps\n' : 'verdicts\n');
      const runs = (await nextLines()).map((line) => JSON.parse(line) as BareRun);
      return runs.reduce((sum, run) => sum + run.count / run.seconds, 0);
    },
    async close() {
      for (const { child } of running) child.stdin.end();
      await Promise.all(running.map(({ closed }) => closed));
    },
  };
}
