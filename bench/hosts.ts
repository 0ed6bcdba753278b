// Three hosts on one machine: npm run test:hosts. One server with PostgreSQL and an S3 server, two workers with half a
// core each (and then one each, for comparison). Held against: predictions double with the second worker; the work of a worker that is cut off is done by the
// other, once, within the lease.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findPostgres } from '../test/support/start-postgres.ts';
import { createHostNetwork, findObstacle, onHost } from './hosts/network.ts';

const obstacle =
  findObstacle() ?? (findPostgres() ? undefined : 'PostgreSQL is not installed: apt-get install postgresql');
if (obstacle !== undefined) {
  console.error(`test:hosts cannot run: ${obstacle}`);
  process.exit(2);
}

const { server, workers, remove } = createHostNetwork();
process.on('exit', remove);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const entry = fileURLToPath(new URL('hosts/run-plant.ts', import.meta.url));
const [program = '', ...words] = onHost(server);
const hosts = [server.address, ...workers.map((worker) => worker.name)];
const child = spawn(program, [...words, process.execPath, '--import', 'tsx', entry, ...hosts], { stdio: 'inherit' });
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
