// Compiles the service to dist/ and the page to dist/web/.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root, run } from './setup.mjs';

ensureInstalled();
const bin = (name) => join(root, 'node_modules', '.bin', name);
run(bin('tsc'), ['-p', 'tsconfig.build.json']);
chmodSync(join(root, 'dist', 'cli', 'kensa.js'), 0o755);
if (existsSync(join(root, 'web', 'vite.config.ts'))) {
  run(bin('vite'), ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']);
}
writeFileSync(join(root, 'dist', '.built'), new Date().toISOString());
