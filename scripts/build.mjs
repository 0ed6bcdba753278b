// Bundles the service to dist/, with the types of its client, and builds the page to dist/web/.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root, run } from './setup.mjs';

ensureInstalled();
const { build } = await import('esbuild');

/** Of a thousand small modules that are nothing but functions: a start would spend half a second on finding their files. */
const inlined = ['kysely', 'typebox'];
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const external = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !inlined.includes(name));

const bin = (name) => join(root, 'node_modules', '.bin', name);
rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  // What is started as a process or thread of its own, and what others import.
  entryPoints: [
    'cli/kensa',
    'jobs/compute/worker-main',
    'jobs/compute/training-process',
    'vision/onnx/session-thread',
    'client/kensa-client',
  ].map((name) => `src/${name}.ts`),
  outbase: 'src',
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  external,
  logLevel: 'warning',
});
chmodSync(join(root, 'dist', 'cli', 'kensa.js'), 0o755);
run(bin('tsc'), ['-p', 'tsconfig.build.json']);
run(bin('vite'), ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']);
writeFileSync(join(root, 'dist', '.built'), new Date().toISOString());
