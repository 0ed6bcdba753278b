import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface TestPostgres {
  /** Of a database from which others are made. */
  readonly url: string;
  /** Of a database of its own, empty. */
  createDatabase(): Promise<string>;
  /** Ends the server at once, as a crash would. */
  crash(): Promise<void>;
  /** Starts it again after a crash. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const START_PATIENCE_MS = 20_000;

/** The folder of PostgreSQL's programs, or undefined where it isn't installed. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), '/usr/local/bin', '/usr/bin'];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** PostgreSQL refuses to run as root: then it runs as the owner of /etc/passwd's `nobody`. */
function unprivileged(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export interface TestPostgresOptions {
  /** With fsync, as in earnest. */
  readonly durable?: boolean;
  /** Where it listens beside its socket, and the network whose hosts it trusts. */
  readonly listen?: { readonly address: string; readonly network: string };
  /** A line of pg_hba.conf that goes before all others. */
  readonly firstRule?: string;
}

/** A PostgreSQL server of its own on a socket in a temporary folder. */
export async function startPostgres({
  durable = false,
  listen,
  firstRule,
}: TestPostgresOptions = {}): Promise<TestPostgres> {
  const programs = findPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = mkdtempSync(join(tmpdir(), 'kensa-pg-'));
  const user = unprivileged();
  if ('uid' in user && user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const init = ['-D', data, '-U', 'kensa', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'];
  execFileSync(join(programs, 'initdb'), init, { ...user, env, cwd: folder, stdio: 'pipe' });
  if (firstRule) writeFileSync(join(data, 'pg_hba.conf'), `${firstRule}\nlocal all all trust\n`);
  if (listen) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${listen.network} trust\n`);
  const settings = [
    `unix_socket_directories=${folder}`,
    `listen_addresses=${listen?.address ?? ''}`,
    `fsync=${durable ? 'on' : 'off'}`,
  ];
  const url = (database: string) => `postgresql://kensa@localhost/${database}?host=${encodeURIComponent(folder)}`;
  let server: ChildProcess;
  const launch = async () => {
    const options = { ...user, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] };
    const started = spawn(
      join(programs, 'postgres'),
      ['-D', data, ...settings.flatMap((each) => ['-c', each])],
      options,
    );
    server = started;
    let words = '';
    started.stderr.on('data', (text) => {
      words = (words + text).slice(-2000);
    });
    await waitUntilReady(url('postgres'), () => (started.exitCode === null ? undefined : words));
  };
  const crash = async () => {
    const exited = server.exitCode === null ? once(server, 'exit') : undefined;
    server.kill('SIGQUIT');
    await exited;
  };
  await launch();
  return {
    url: url('postgres'),
    createDatabase: () => createDatabaseBeside(url('postgres')),
    crash,
    restart: launch,
    async stop() {
      await crash();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An empty database on the server of the given one. */
export async function createDatabaseBeside(url: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withClient(url, (client) => client.query(`create database ${name}`));
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

async function withClient(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

async function waitUntilReady(url: string, ended: () => string | undefined): Promise<void> {
  for (const deadline = Date.now() + START_PATIENCE_MS; ; ) {
    try {
      return await withClient(url, (client) => client.query('select 1'));
    } catch (error) {
      const words = ended();
      if (words !== undefined) throw new Error(`PostgreSQL did not start: ${words}`);
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}
