import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Puts a disk of 16 MiB at a folder. @returns whether this user may do that. */
export function mountDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export const unmountDisk = (folder: string): Buffer => execFileSync('umount', [folder]);

const probe = mkdtempSync(join(tmpdir(), 'kensa-mount-'));

/** Whether a disk can be mounted here; where not, the tests with one say so and are skipped. */
export const mayMount = mountDisk(probe);
if (mayMount) unmountDisk(probe);
else console.warn('Mounting is for root only here: the tests of full and read-only disks are skipped.');
rmSync(probe, { recursive: true });

/** Leaves no room on a small disk. @returns makes room again. */
export function fillDisk(folder: string): () => void {
  const filler = join(folder, 'filler');
  try {
    writeFileSync(filler, Buffer.alloc(64 * 1024 * 1024));
  } catch {}
  return () => rmSync(filler);
}
