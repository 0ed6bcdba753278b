// Sets × algorithms × networks: npm run bench:accuracy [-- --sets a,b --algorithms … --backbones … --train-limit 1,10,0
// --dirty 0.05,0.1 --labelled 5,20,0.5 --image-size 256 --seeds 0,1,2 --data FOLDER --networks FOLDER --fresh]. Writes bench/results/accuracy.json and .md. Rows
// that were measured with the same network and version are kept, unless --fresh.
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createBackboneCatalogue } from '../src/domains/algorithms/backbone-catalogue.ts';
import { findAlgorithm } from '../src/vision/algorithms/catalogue.ts';
import { backboneDigest } from '../src/vision/backbone/open-backbone.ts';
import { borrowNetworks } from './accuracy/borrow-networks.ts';
import { measureRow } from './accuracy/measure-row.ts';
import { planRows, rowKey } from './accuracy/plan-rows.ts';
import { renderResults } from './accuracy/render-results.ts';
import { isMeasured, readResults, withRow, writeResults } from './accuracy/results-file.ts';

const text = { type: 'string' } as const;
const { values: flags } = parseArgs({
  options: {
    ...{
      sets: text,
      algorithms: text,
      backbones: text,
      'train-limit': text,
      dirty: text,
      seeds: text,
      labelled: text,
      'image-size': text,
      data: text,
      networks: text,
    },
    fresh: { type: 'boolean' },
  },
});
const list = (value: string | undefined): string[] | undefined => value?.split(',').filter((name) => name !== '');
const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const data = flags.data ?? process.env['KENSA_BENCH_DATA'] ?? fromHere('../../shared/data');
const networksFolder = flags.networks ?? process.env['KENSA_BENCH_NETWORKS'] ?? fromHere('../../shared/weights');
const results = fromHere('results/accuracy.json');

async function measureAll(): Promise<void> {
  const networks = existsSync(networksFolder) ? await borrowNetworks(networksFolder) : undefined;
  if (!networks)
    console.log(`There is no folder ${networksFolder}: only the networks that come with Kensa are measured.`);
  try {
    const catalogue = createBackboneCatalogue(networks?.folder);
    const backbones = list(flags.backbones) ?? (await catalogue.listBackbones());
    const digests = new Map<string, string>();
    for (const id of backbones) digests.set(id, backboneDigest(await catalogue.getBackbone(id)).slice(0, 32));
    const [sets, algorithms] = [list(flags.sets), list(flags.algorithms)];
    const filter = {
      ...(sets ? { sets } : {}),
      ...(algorithms ? { algorithms } : {}),
      backbones,
      trainLimits: (list(flags['train-limit']) ?? ['0']).map(Number),
      dirty: (list(flags.dirty) ?? []).map(Number),
      seeds: (list(flags.seeds) ?? ['0']).map(Number),
      labelled: (list(flags.labelled) ?? []).map(Number),
      ...(flags['image-size'] ? { imageSize: Number(flags['image-size']) } : {}),
    };
    const release = JSON.parse(readFileSync(fromHere('../package.json'), 'utf8')) as { version: string };
    for (const row of planRows(filter, data)) {
      const version = `${release.version}/${findAlgorithm(row.algorithm)?.version}`;
      const stamp = { network: digests.get(row.backbone) ?? '', version };
      // Read the file again each time: another run may have added rows.
      if (!flags.fresh && isMeasured(await readResults(results), row, stamp)) continue;
      const started = performance.now();
      const measured = await measureRow(row, stamp, { data, networks: networks?.folder });
      await writeResults(results, withRow(await readResults(results), measured));
      await writeFile(results.replace(/json$/, 'md'), renderResults(await readResults(results)));
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      console.log(`${rowKey(row)}: image AUROC ${measured.report.image_auroc?.toFixed(4)}, ${seconds} s`);
    }
    await writeFile(results.replace(/json$/, 'md'), renderResults(await readResults(results)));
    console.log(`Written: ${results.replace(/json$/, 'md')}`);
  } finally {
    if (networks) await rm(networks.folder, { recursive: true });
  }
}

if (existsSync(data)) await measureAll();
else {
  console.error(
    `There is no folder ${data} of image sets. Name one with --data or KENSA_BENCH_DATA; nothing was measured.`,
  );
  process.exitCode = 1;
}
