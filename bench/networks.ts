// Time of an image with our networks and with a large public one, by turns in one process a set: npm run bench:networks
// [-- --sets a,b --data FOLDER --networks FOLDER --reference NAME --photos 20 --turns 5]. Writes bench/results/networks.md.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { borrowNetworks } from './accuracy/borrow-networks.ts';
import { spreadOf } from './speed/figure.ts';
import type { NetworksRun } from './speed/networks-run.ts';
import { bundledRun, runChild } from './speed/run-child.ts';

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const text = { type: 'string' } as const;
const { values: flags } = parseArgs({
  options: {
    sets: { ...text, default: 'bottle,cookie,hazelnut_toy,magnetic_tile' },
    data: { ...text, default: process.env['KENSA_BENCH_DATA'] ?? fromHere('../../shared/data') },
    networks: { ...text, default: process.env['KENSA_BENCH_NETWORKS'] ?? fromHere('../../shared/weights') },
    reference: { ...text, default: 'resnet50v2_layers123' },
    photos: { ...text, default: '20' },
    turns: { ...text, default: '5' },
  },
});
const OURS = ['kensa-int8', 'kensa'];

const header = (): string => `# Time of an image: our networks and ${flags.reference}
Made by \`npm run bench:networks\` on ${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}: \`patchcore\` with its defaults on all good photos of a set,
${flags.photos} test photos with one network and then with the next, ${flags.turns} turns, in one process and on one thread. From a photo's bytes to verdict and regions; decoding, with the
reduction to the network's size, takes the same for every network. The network alone is given a picture of 256 × 256. Least / median milliseconds.

| set | network | whole image | decoding | the rest | network alone | times faster, whole | the rest | network alone |
|---|---|---|---|---|---|---|---|---|
`;

function rows(set: string, { whole, decoding, network }: NetworksRun): string {
  const parts = (name: string) => {
    const times = whole[name] ?? [];
    const spent = decoding[name] ?? [];
    const rest = times.map((time, index) => time - (spent[index] ?? 0));
    return [times, spent, rest, network[name] ?? []].map(spreadOf);
  };
  const reference = parts(flags.reference);
  const faster = (mine: readonly ReturnType<typeof spreadOf>[], part: number): string =>
    ((reference[part]?.median ?? 0) / (mine[part]?.median ?? 1)).toFixed(1);
  return [...OURS, flags.reference]
    .map((name) => {
      const mine = parts(name);
      const cells = mine.map(({ min, median }) => `${min.toFixed(1)} / ${median.toFixed(1)}`);
      return `| ${[set, name, ...cells, faster(mine, 0), faster(mine, 2), faster(mine, 3)].join(' | ')} |\n`;
    })
    .join('');
}

async function measureAll(): Promise<void> {
  const { folder: networks, names } = await borrowNetworks(flags.networks);
  try {
    if (!names.includes(flags.reference)) throw new Error(`${flags.networks} has no ${flags.reference}.onnx`);
    let table = header();
    for (const set of flags.sets.split(',')) {
      const args = [join(flags.data, set), networks, flags.photos, flags.turns, ...OURS, flags.reference];
      table += rows(set, await runChild<NetworksRun>(await bundledRun('networks-run', ...args), { oneCore: true }));
      await writeFile(fromHere('results/networks.md'), table);
    }
    console.log(table);
  } finally {
    await rm(networks, { recursive: true });
  }
}

const missing = [flags.data, flags.networks].filter((folder) => !existsSync(folder));
if (missing.length > 0) console.log(`There is no folder ${missing.join(', ')}: nothing is measured.`);
else await measureAll();
