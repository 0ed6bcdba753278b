import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { borrowNetworks } from '../accuracy/borrow-networks.ts';
import { type Figure, medianFigure, type Section } from './figure.ts';
import type { KensaRun } from './kensa-run.ts';
import { kensaRun, runChild } from './run-child.ts';

interface ReferenceRun {
  readonly trainImages: number;
  readonly bank: readonly [number, number];
  readonly featureSeconds: number;
  readonly trainSeconds: number;
  readonly milliseconds: readonly number[];
  readonly trainCpuSeconds: number;
  readonly cpuMilliseconds: number;
  readonly auroc: number | null;
  readonly multiplyGflops: number;
  readonly versions: Readonly<Record<string, string>>;
}

export interface ReferenceOptions {
  readonly python: string;
  readonly weights: string;
  readonly folder: string;
}

/** GFLOP/s under which PyTorch runs on a BLAS without wide vector instructions. */
const SLOW_BLAS = 40;
const FASTER = { float: 10, eightBit: 25, training: 10 };

interface Runs {
  readonly reference: ReferenceRun;
  readonly float: KensaRun;
  readonly eightBit: KensaRun;
  /** The reference's network in Kensa. */
  readonly rival: KensaRun;
}

function ratios({ reference, float, eightBit, rival }: Runs): Figure[] {
  const times = (run: KensaRun | ReferenceRun, name: string): Figure[] => [
    medianFigure(`${name}, an image`, 'ms', run.milliseconds),
    { name: `${name}, an image, processor time`, unit: 'ms', value: run.cpuMilliseconds },
    { name: `${name}, training`, unit: 's', value: run.trainSeconds },
    { name: `${name}, training, processor time`, unit: 's', value: run.trainCpuSeconds },
  ];
  const faster = (name: string, slow: number, fast: number, least: number): Figure => ({
    name: `${name}, times faster in processor time`,
    unit: '×',
    value: slow / fast,
    limit: { least },
  });
  return [
    ...times(reference, 'reference'),
    ...times(float, 'Kensa'),
    ...times(eightBit, 'Kensa in 8 bits'),
    ...times(rival, 'Kensa with ResNet50v2'),
    faster('an image', reference.cpuMilliseconds, float.cpuMilliseconds, FASTER.float),
    faster('an image in 8 bits', reference.cpuMilliseconds, eightBit.cpuMilliseconds, FASTER.eightBit),
    faster('training', reference.trainCpuSeconds, float.trainCpuSeconds, FASTER.training),
    {
      name: 'an image in 8 bits against Kensa with ResNet50v2, times faster in processor time',
      unit: '×',
      value: rival.cpuMilliseconds / eightBit.cpuMilliseconds,
    },
    { name: 'reference, image AUROC', unit: '', value: reference.auroc ?? 0 },
    { name: 'Kensa, image AUROC', unit: '', value: float.auroc ?? 0, limit: { least: reference.auroc ?? 0 } },
    {
      name: 'Kensa in 8 bits, image AUROC',
      unit: '',
      value: eightBit.auroc ?? 0,
      limit: { least: reference.auroc ?? 0 },
    },
    { name: 'Kensa with ResNet50v2, image AUROC', unit: '', value: rival.auroc ?? 0 },
    {
      name: 'reference, rate of a matrix product',
      unit: 'GFLOP/s',
      value: reference.multiplyGflops,
      ...(reference.multiplyGflops < SLOW_BLAS
        ? { note: 'its BLAS is a slow one: install OpenBLAS, or the ratios flatter Kensa' }
        : {}),
    },
  ];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const SCRIPT = 'bench/reference/patchcore.py';
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Checks Python before minutes of measuring. @throws Error where it lacks a package that the reference needs */
export function checkReference({ python, weights }: Pick<ReferenceOptions, 'python' | 'weights'>): void {
  if (!isFile(weights)) return;
  const { status, error, stderr } = spawnSync(python, [SCRIPT, '--help'], { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim().split('\n').at(-1);
  throw new Error(
    `${python} cannot run ${SCRIPT} (${reason}): install PyTorch, faiss, OpenCV and onnx for it, or name another with --python.`,
  );
}

/** Measures Kensa and PatchCore as published on the same files, one after the other on the same core. */
export async function measureReference({ python, weights, folder }: ReferenceOptions): Promise<Section> {
  const title = 'Against PatchCore in Python';
  if (!isFile(weights))
    return {
      title,
      method: `Not measured: there are no ResNet50v2 weights at ${weights} (--weights FILE).`,
      figures: [],
    };
  const script = [python, SCRIPT, '--weights', weights, '--data', folder];
  const reference = await runChild<ReferenceRun>(script, { oneCore: true });
  const float = await runChild<KensaRun>(await kensaRun(folder, 'kensa', 1), { oneCore: true });
  const eightBit = await runChild<KensaRun>(await kensaRun(folder, 'kensa-int8', 1), { oneCore: true });
  const { folder: networks } = await borrowNetworks(dirname(weights));
  const withRival = await kensaRun(folder, parse(weights).name, 1, { networks });
  const rival = await runChild<KensaRun>(withRival, { oneCore: true });
  await rm(networks, { recursive: true });
  const versions = Object.entries(reference.versions).map(([name, version]) => `${name} ${version}`);
  return {
    title,
    method:
      `${reference.trainImages} images to learn from, ${reference.milliseconds.length} to inspect, the same files, one thread on one core each, ` +
      `one after the other, Kensa with its default parameters. Reference: input 256, ResNet50v2 layers 2 and 3, a tenth of all patches as memory (${reference.bank.join(' × ')}), exact search; ` +
      `${versions.join(', ')}. An image is file bytes to score and map; for Kensa regions as well. No heatmap is drawn.`,
    figures: ratios({ reference, float, eightBit, rival }),
  };
}
