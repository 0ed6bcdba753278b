// `npm run test:properties`: the long run of the property tests. KENSA_PROPERTY_RUNS and KENSA_PROPERTY_SEED change it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const env = { KENSA_PROPERTY_RUNS: '20000', ...process.env };
const args = ['run', '--project', 'embedded', 'test/contract/properties.test.ts'];
process.exit(
  spawnSync(join(root, 'node_modules', '.bin', 'vitest'), args, { cwd: root, env, stdio: 'inherit' }).status ?? 1,
);
