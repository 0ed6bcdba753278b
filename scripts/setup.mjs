// Makes a fresh clone ready: packages when the lock file changed, a build when a source changed. Node's own modules only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => join(root, ...parts);

/** Runs a command in the project's folder and ends this process with its status where it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

export function timed(what, work) {
  const startedAt = Date.now();
  console.error(`[kensa] ${what} …`);
  work();
  console.error(`[kensa] ${what}: done in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
}

export function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  // From Node 22 on every native part comes ready-made; for Node 20 the database's part is compiled.
  const compiles = major < 22;
  if (major < 20 || (major === 20 && minor < 11)) {
    console.error(`[kensa] Node ${process.versions.node} is too old. Install Node 20.11 or newer.`);
    process.exit(1);
  }
  const lock = createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex');
  const wanted = `${lock} ${compiles ? `modules ${process.versions.modules}` : 'ready-made'}`;
  const stamp = inRoot('node_modules', '.kensa-setup');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  if (compiles) ensureCompiler();
  timed('installing packages (one or two minutes, once)', () => {
    // The headers that came with Node, so that the database's native part builds without a download.
    const headers = dirname(dirname(process.execPath));
    const nodedir = existsSync(join(headers, 'include', 'node', 'node.h')) ? { npm_config_nodedir: headers } : {};
    const env = { ...process.env, ...nodedir, ONNXRUNTIME_NODE_INSTALL: 'skip', NODE_ENV: 'development' };
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(compiles ? [] : ['--ignore-scripts'])];
    run('npm', args, { env, stdio: ['ignore', 2, 2] });
  });
  if (compiles && !existsSync(inRoot('node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node'))) {
    console.error(
      '[kensa] better-sqlite3 could not be compiled. Install make, g++ and python3 and run this again, or use Node 22 or newer, which needs no compiler.',
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

function ensureCompiler() {
  const missing = ['make', 'g++', 'python3'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    console.error(`[kensa] ${missing.join(', ')} not found. If the next step fails: apt-get install make g++ python3`);
    return;
  }
  timed(`installing ${missing.join(', ')}`, () => {
    spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 2, 2] });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { stdio: ['ignore', 2, 2] });
  });
}

export function ensureBuilt() {
  ensureInstalled();
  if (
    newest(['src', 'web', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'scripts/build.mjs']) <=
    newest(['dist/.built'])
  )
    return;
  timed('building', () => run(process.execPath, [inRoot('scripts', 'build.mjs')], { stdio: ['ignore', 2, 2] }));
}

/** Time of the youngest file below the paths, 0 if there are no files. */
function newest(paths) {
  let youngest = 0;
  for (const path of paths.map((part) => inRoot(part))) {
    if (!existsSync(path)) continue;
    const entry = statSync(path);
    youngest = Math.max(youngest, entry.isFile() ? entry.mtimeMs : 0);
    if (!entry.isDirectory()) continue;
    for (const child of readdirSync(path, { recursive: true, withFileTypes: true })) {
      if (child.isFile())
        youngest = Math.max(youngest, statSync(join(child.parentPath ?? child.path, child.name)).mtimeMs);
    }
  }
  return youngest;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBuilt();
