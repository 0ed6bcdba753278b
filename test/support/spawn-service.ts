import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createKensaClient, type KensaClient } from '../../src/client/kensa-client.ts';
import { bundleService } from './bundle-service.ts';

const root = new URL('../..', import.meta.url).pathname;

export interface SpawnedService {
  readonly url: string;
  readonly client: KensaClient;
  readonly process: ChildProcess;
  /** Everything that it wrote. */
  output(): string;
  /** kill -9, of the server alone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export const spawnedClient = { clientId: 'fault-tests', clientSecret: 'the secret of fault tests' };

/** `kensa <command>` as a process of its own; `wrapper` runs it, where given. */
export function spawnKensa(
  args: readonly string[],
  environment: Record<string, string>,
  wrapper: readonly string[] = [],
) {
  const [program = '', ...rest] = [...wrapper, process.execPath, bundleService(), ...args];
  return spawn(program, rest, {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: '0', KENSA_WORKERS: '1', KENSA_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A server on a free port of loopback, in a process that can be killed. */
export async function spawnService(
  environment: Record<string, string>,
  wrapper: readonly string[] = [],
): Promise<SpawnedService> {
  const settings = {
    KENSA_CLIENT_ID: spawnedClient.clientId,
    KENSA_CLIENT_SECRET: spawnedClient.clientSecret,
    KENSA_LOGIN_ATTEMPTS: '1000',
    ...environment,
  };
  const child = spawnKensa(['serve'], settings, wrapper);
  let output = '';
  const collect = (text: Buffer): void => {
    output += text.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const url = await waitForWords(
    child,
    () => /Kensa runs at (\S+)/.exec(output)?.[1],
    () => output,
  );
  const exited = once(child, 'exit');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  return {
    url,
    client: createKensaClient({ baseUrl: url, ...spawnedClient }),
    process: child,
    output: () => output,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** `kensa worker`, once it takes work. */
export async function spawnWorker(
  environment: Record<string, string>,
  wrapper: readonly string[] = [],
): Promise<ChildProcess> {
  const child = spawnKensa(['worker'], environment, wrapper);
  let output = '';
  // Read to the end: a full pipe would stop it.
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output = (output + text).slice(-100_000);
    });
  await waitForWords(
    child,
    () => output.includes('takes work') || undefined,
    () => output,
  );
  return child;
}

/** Ids of a process's compute processes, or of its training processes. */
export const findChildren = (parent: number, kind: 'worker' | 'training'): number[] =>
  childrenOf(parent).filter((pid) => commandOf(pid).includes(entryOf[kind]));

const entryOf = { worker: '/worker-main.', training: '/training-process.' };

async function waitForWords<T>(child: ChildProcess, find: () => T | undefined, output: () => string): Promise<T> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const found = find();
    if (found !== undefined) return found;
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`It said nothing of what was awaited: ${output()}`);
}

/** Runs a command to its end. */
export async function runKensa(args: readonly string[], environment: Record<string, string>) {
  const child = spawnKensa(args, environment);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => new RegExp(`^PPid:\\s*${parent}$`, 'm').test(readProc(`${pid}/status`)))
    .map(Number);
}

const commandOf = (pid: number): string => readProc(`${pid}/cmdline`);

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
