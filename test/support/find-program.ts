import { spawnSync } from 'node:child_process';

/** Whether a program is installed that tests talk to. Says so once where it is not. */
export function hasProgram(name: string): boolean {
  if (spawnSync('sh', ['-c', `command -v ${name}`]).status === 0) return true;
  console.warn(`${name} is not installed: tests with it are skipped. Install it with: apt-get install ${name}`);
  return false;
}
