import { execFileSync } from 'node:child_process';

/** A host: a network namespace with one cable to the switch between them. */
export interface Host {
  readonly name: string;
  readonly address: string;
}

export interface HostNetwork {
  readonly server: Host;
  readonly workers: readonly [Host, Host];
  remove(): void;
}

export const network = '10.77.0.0/24';
const cable = 'eth0';

const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** What keeps this machine from having hosts of its own, in words. */
export function findObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'Network namespaces are a thing of Linux.';
  if (process.getuid?.() !== 0) return 'Network namespaces are made by root: run it with sudo.';
  const name = `kensa-${process.pid}-try`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'delete', name);
    return undefined;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return 'ip is not installed: apt-get install iproute2';
    return `Network namespaces cannot be made here: ${(error as Error).message}`;
  }
}

/** Three hosts and the switch between them. They share nothing of this machine's network, and vanish with `remove`. */
export function createHostNetwork(): HostNetwork {
  const prefix = `kensa-${process.pid}`;
  const bridge = `${prefix}-switch`;
  const hosts = ['server', 'worker1', 'worker2'].map(
    (role, index): Host => ({ name: `${prefix}-${role}`, address: `10.77.0.${index + 1}` }),
  );
  const [server, first, second] = hosts;
  if (!server || !first || !second) throw new Error('three hosts are needed');
  const remove = (): void => {
    for (const name of [...hosts.map((host) => host.name), bridge]) {
      try {
        ip('netns', 'delete', name);
      } catch {
        // Was not made yet.
      }
    }
  };
  try {
    ip('netns', 'add', bridge);
    ip('-n', bridge, 'link', 'add', 'bridge', 'type', 'bridge');
    ip('-n', bridge, 'link', 'set', 'bridge', 'up');
    for (const [index, { name, address }] of hosts.entries()) {
      const port = `port${index}`;
      ip('netns', 'add', name);
      ip('-n', name, 'link', 'add', cable, 'type', 'veth', 'peer', 'name', port, 'netns', bridge);
      ip('-n', name, 'address', 'add', `${address}/24`, 'dev', cable);
      ip('-n', name, 'link', 'set', 'lo', 'up');
      ip('-n', name, 'link', 'set', cable, 'up');
      ip('-n', bridge, 'link', 'set', port, 'master', 'bridge', 'up');
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { server, workers: [first, second], remove };
}

/** Words before a command that run it on a host. */
export const onHost = ({ name }: Pick<Host, 'name'>): string[] => ['nsenter', `--net=/run/netns/${name}`, '--'];

/** Pulls a host's cable, or plugs it in. */
export const setCable = ({ name }: Pick<Host, 'name'>, state: 'up' | 'down'): void =>
  ip('-n', name, 'link', 'set', cable, state);
