#!/usr/bin/env node
import { forkFirst, takeFirst } from '../jobs/compute/fork-entry.ts';

// The program takes 0.4 s to load and a compute process 0.6 s (measured once, on a busy machine). They load side by side.
if (['serve', 'worker'].includes(process.argv[2] ?? '')) forkFirst();
try {
  await import('./program.ts');
} finally {
  takeFirst()?.child.kill('SIGKILL');
}
