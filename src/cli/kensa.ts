#!/usr/bin/env node
import { forkFirst, takeFirst } from '../jobs/compute/first-process.ts';

// A compute process takes as long to load as all the rest: they do so side by side.
if (['serve', 'worker'].includes(process.argv[2] ?? '')) forkFirst();
try {
  await import('./program.ts');
} finally {
  takeFirst()?.child.kill('SIGKILL');
}
