import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A share of this machine's processor (a control group), as a smaller machine would have it. */
export interface CpuShare {
  /** Words before a command that run it there. */
  readonly words: readonly string[];
  /** At most so many cores; null: as many as there are. */
  setCores(cores: number | null): void;
}

export interface CpuShares {
  create(name: string): CpuShare;
  remove(): void;
}

const periodUs = 100_000;
const root = '/sys/fs/cgroup';

interface Controller {
  readonly folder: string;
  /** Before other work of this machine, so that it disturbs less. */
  prefer(group: string): void;
  limit(group: string, cores: number | null): void;
}

function findController(): Controller | undefined {
  const first = ['cpu', 'cpu,cpuacct'].map((name) => join(root, name)).find((path) => existsSync(join(path, 'tasks')));
  if (first !== undefined) {
    return {
      folder: first,
      prefer: (group) => writeFileSync(join(group, 'cpu.shares'), '100000'),
      limit: (group, cores) =>
        writeFileSync(join(group, 'cpu.cfs_quota_us'), String(cores === null ? -1 : cores * periodUs)),
    };
  }
  const controllers = join(root, 'cgroup.controllers');
  if (!existsSync(controllers) || !readFileSync(controllers, 'utf8').split(/\s/).includes('cpu')) return undefined;
  writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu');
  return {
    folder: root,
    prefer(group) {
      writeFileSync(join(group, 'cpu.weight'), '10000');
      writeFileSync(join(group, 'cgroup.subtree_control'), '+cpu');
    },
    limit: (group, cores) =>
      writeFileSync(join(group, 'cpu.max'), `${cores === null ? 'max' : cores * periodUs} ${periodUs}`),
  };
}

/** @throws Error in words where there are no control groups for processors. */
export function createCpuShares(): CpuShares {
  const controller = findController();
  if (!controller) throw new Error(`There is no control group for processors below ${root}.`);
  const parent = join(controller.folder, `kensa-${process.pid}`);
  mkdirSync(parent);
  controller.prefer(parent);
  return {
    create(name) {
      const group = join(parent, name);
      mkdirSync(group);
      const enter = `echo $$ >${join(group, 'cgroup.procs')} && exec "$@"`;
      return {
        words: ['sh', '-c', enter, 'sh'],
        setCores: (cores) => controller.limit(group, cores),
      };
    },
    remove() {
      for (const entry of readdirSync(parent, { withFileTypes: true })) {
        if (entry.isDirectory()) tryRemove(join(parent, entry.name));
      }
      tryRemove(parent);
    },
  };
}

/** A group with a process that has not quite ended cannot be removed; an empty one left behind does no harm. */
function tryRemove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}
