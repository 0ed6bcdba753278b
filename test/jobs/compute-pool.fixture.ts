import { pino } from 'pino';
import { ComputePool } from '../../src/jobs/compute/compute-pool.ts';
import { textureImage } from '../support/texture-images.ts';

// A process to be killed: says which compute processes it has started, and keeps them busy.
const pool = new ComputePool({ size: 2, log: pino({ level: 'silent' }) });
const image = await textureImage(1);
await Promise.all([
  pool.run({ kind: 'probe', image: image }),
  pool.run({ kind: 'probe', image: image }),
  pool.run({ kind: 'probe', image: image }),
]);
process.stdout.write(`${JSON.stringify(pool.stats().processes.map(({ pid }) => pid))}\n`);
for (;;) await pool.run({ kind: 'thumbnail', image: image, size: 50 });
