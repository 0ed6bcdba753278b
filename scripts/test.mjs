// `npm test`: sets up, checks types and style, runs every test, and ends with one line "N passed, N failed".
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root, timed } from './setup.mjs';

ensureBuilt();
ensurePeers();
const nodeRed = ensureNodeRed();

const bin = (name) => join(root, 'node_modules', '.bin', name);
const results = [];
const check = (name, command, args) => {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  results.push({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 });
};

check('types', bin('tsc'), ['-p', '.']);
if (existsSync(join(root, 'web', 'tsconfig.json'))) check('types of the page', bin('tsc'), ['-p', 'web']);
check('style', bin('biome'), ['check', '--error-on-warnings', '.']);

await nodeRed;
console.log('\n== tests');
mkdirSync(join(root, '.tmp'), { recursive: true });
const report = join(root, '.tmp', 'vitest.json');
rmSync(report, { force: true });
const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)];
const { status } = spawnSync(bin('vitest'), args, { cwd: root, stdio: 'inherit' });
const {
  numPassedTests = 0,
  numFailedTests = 0,
  numFailedTestSuites = 0,
} = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
// A file that cannot even be loaded, or an error outside any test, is a failure as well.
const failedTests = Math.max(numFailedTests, numFailedTestSuites > 0 || status !== 0 ? 1 : 0);
results.push({ passed: numPassedTests, failed: failedTests });

if (!hasPostgres()) {
  console.error(
    '\n[kensa] PostgreSQL was not found: NOT tested were the API, storage and jobs on PostgreSQL and S3. Install it with: apt-get install postgresql',
  );
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);

/** As in test/support/start-postgres.ts. */
function hasPostgres() {
  const debian = '/usr/lib/postgresql';
  const folders = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
  return [...folders, '/usr/local/bin', '/usr/bin'].some((folder) => existsSync(join(folder, 'initdb')));
}

/** Programs that the tests talk to; where one cannot be had, its tests say so and are skipped. */
function ensurePeers() {
  const peers = [
    { paths: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'], packages: ['chromium'] },
    { paths: ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto'], packages: ['mosquitto', 'mosquitto-clients'] },
    ...['curl', 'ffmpeg', 'lftp', 'mbpoll', 'openssl'].map((name) => ({
      paths: [`/usr/bin/${name}`],
      packages: [name],
    })),
    {
      paths: ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/girepository-1.0/GstRtspServer-1.0.typelib`),
      packages: ['python3-gi', 'gir1.2-gst-rtsp-server-1.0'],
    },
    { paths: ['/usr/lib/python3/dist-packages/paho'], packages: ['python3-paho-mqtt'] },
    { paths: ['/usr/lib/python3/dist-packages/requests'], packages: ['python3-requests'] },
    { paths: ['/usr/bin/mcs'], packages: ['mono-mcs', 'mono-runtime'] },
  ];
  const missing = peers.filter(({ paths }) => !paths.some((path) => existsSync(path)));
  const packages = missing.flatMap((peer) => peer.packages);
  if (packages.length === 0) return;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    console.error(`[kensa] tests that need them are skipped. Install them with: apt-get install ${packages.join(' ')}`);
    return;
  }
  timed(`installing ${packages.join(', ')} for the tests`, () => {
    spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 2, 2] });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { stdio: ['ignore', 2, 2] });
  });
}

/** Node-RED without its editor, which runs the example flow: 77 MB that no other test needs, so no part of the project. */
async function ensureNodeRed() {
  const version = '4.1.15';
  const folder = join(root, '.tmp', 'node-red');
  const installed = join(folder, 'node_modules', '@node-red', 'runtime', 'package.json');
  if (existsSync(installed) && JSON.parse(readFileSync(installed, 'utf8')).version === version) return;
  mkdirSync(folder, { recursive: true });
  const packages = ['runtime', 'nodes', 'util'].map((name) => `@node-red/${name}@${version}`);
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--loglevel=error'];
  const impatient = ['--fetch-retries=1', '--fetch-timeout=30000'];
  const child = spawn('npm', ['install', '--prefix', folder, ...quiet, ...impatient, ...packages], {
    stdio: ['ignore', 2, 2],
  });
  const [status] = await once(child, 'exit').catch(() => [1]);
  if (status !== 0) console.error('[kensa] Node-RED could not be installed: the test of its flow is skipped.');
}
