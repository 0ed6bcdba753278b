import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';

const program = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/usr/bin/mosquitto'].find((path) =>
  existsSync(path),
);

/** Whether a broker can be started here; where not, the tests with one say so and are skipped. */
export const hasMosquitto = program !== undefined;
if (!hasMosquitto)
  console.warn('mosquitto is not installed: tests of MQTT are skipped. Install it with: apt-get install mosquitto');

export interface TestBroker {
  readonly port: number;
  /** Paths of PEM files: of the authority, and of a client that it signed. */
  readonly files: { readonly ca: string; readonly certificate: string; readonly key: string };
  /** Its connections stay, and it answers nothing. */
  freeze(): void;
  /** Ends it at once. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A broker that keeps nothing over a restart. With `tls` it asks for a client certificate, with `login` for a user and a
 * password.
 */
export async function startBroker(
  options: { tls?: boolean; login?: { user: string; password: string } } = {},
): Promise<TestBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'kensa-mosquitto-'));
  // Mosquitto drops the rights of root.
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const files = {
    ca: join(folder, 'ca.pem'),
    certificate: join(folder, 'client.pem'),
    key: join(folder, 'client.key'),
  };
  if (options.tls) makeCertificates(folder);
  const tls = [
    `cafile ${files.ca}`,
    `certfile ${join(folder, 'server.pem')}`,
    `keyfile ${join(folder, 'server.key')}`,
    'require_certificate true',
  ];
  const passwords = join(folder, 'passwords');
  if (options.login) {
    execFileSync('mosquitto_passwd', ['-b', '-c', passwords, options.login.user, options.login.password]);
    chmodSync(passwords, 0o644);
  }
  const access = options.login ? ['allow_anonymous false', `password_file ${passwords}`] : ['allow_anonymous true'];
  const lines = [`listener ${port} 127.0.0.1`, ...access, 'persistence false', 'max_queued_messages 0'];
  writeFileSync(join(folder, 'mosquitto.conf'), [...lines, ...(options.tls ? tls : [])].join('\n'));
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(program ?? '', ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' });
    await reachable(port);
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    port,
    files,
    freeze: () => void child?.kill('SIGSTOP'),
    kill,
    start,
    async stop() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function reachable(port: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('The broker did not start.');
}

function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test authority');
  writeFileSync(join(folder, 'san.txt'), 'subjectAltName=IP:127.0.0.1');
  for (const name of ['server', 'client']) {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const signing = [
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
    ];
    openssl('x509', ...signing, '-out', `${name}.pem`, '-extfile', 'san.txt');
    chmodSync(join(folder, `${name}.key`), 0o644);
  }
}

export const readPem = (path: string): Buffer => readFileSync(path);
