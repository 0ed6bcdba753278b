/** The process that is measured: trains on a folder of panels, inspects the others, and prints the figures as JSON. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBackboneCatalogue } from '../../src/domains/algorithms/backbone-catalogue.ts';
import { findAlgorithm } from '../../src/vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../src/vision/algorithms/contract/parameter-values.ts';
import { decodeImage } from '../../src/vision/image/decode-image.ts';
import { openInspector, prepareNothing } from '../../src/vision/inspection/open-inspector.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { encodeModel } from '../../src/vision/model-file/model-file.ts';
import { trainModel } from '../../src/vision/training/train-model.ts';

export interface MeasuredSet {
  /** By file name without extension; `anomaly` is 0.5 at the model's own threshold. */
  readonly scores: Readonly<Record<string, { readonly raw: number; readonly anomaly: number }>>;
  readonly cells: number;
  readonly trainSeconds: number;
  /** Of each inspection, heatmap included. */
  readonly seconds: readonly number[];
  /** The same in time of the processor, which other work on the machine hardly changes. */
  readonly cpuSeconds: readonly number[];
  readonly peakMegabytes: number;
  readonly modelMegabytes: number;
}

const [folder = '.', algorithmId = 'patchcore', backboneId = 'kensa', ...overrides] = process.argv.slice(2);
const algorithm = findAlgorithm(algorithmId);
if (!algorithm) throw new Error(`there is no algorithm ${algorithmId}`);
const named = overrides.map((text) => {
  const [name = '', value = ''] = text.split('=');
  return { name, value };
});
const parsed = parseParameterValues(algorithm, named);
if ('issues' in parsed) throw new Error(parsed.issues.map((issue) => issue.message).join(' '));
const backbone = await createBackboneCatalogue(undefined).getBackbone(backboneId);
const names = (await readdir(folder)).sort();
const read = (name: string): Promise<Uint8Array> => readFile(join(folder, name));

const startedAt = performance.now();
const trained = await trainModel({
  algorithm,
  params: parsed.values,
  samples: names
    .filter((name) => name.startsWith('train-'))
    .map((name) => ({
      ...{ itemId: name, name, good: true, regions: [] },
      load: async () => prepareNothing(await decodeImage(await read(name))),
    })),
  backbone,
  random: createRandom(0),
  threads: 2,
  signal: new AbortController().signal,
  report: () => undefined,
});
const model = encodeModel(trained);
const trainSeconds = (performance.now() - startedAt) / 1000;

const inspector = await openInspector(model, backbone);
const scores: Record<string, { raw: number; anomaly: number }> = {};
const [seconds, cpuSeconds]: [number[], number[]] = [[], []];
let cells = 0;
for (const name of names.filter((each) => !each.startsWith('train-'))) {
  const bytes = await read(name);
  const [from, cpuFrom] = [performance.now(), process.cpuUsage()];
  const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: true };
  const { rawScore, anomalyScore, map } = await inspector.inspect(bytes, options);
  seconds.push((performance.now() - from) / 1000);
  const { user, system } = process.cpuUsage(cpuFrom);
  cpuSeconds.push((user + system) / 1e6);
  scores[name.replace(/\.\w+$/, '')] = { raw: rawScore, anomaly: anomalyScore };
  cells = map.rows * map.columns;
}
await inspector.dispose();
const figures: MeasuredSet = {
  ...{ scores, cells, trainSeconds, seconds, cpuSeconds },
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
  modelMegabytes: model.length / 1e6,
};
process.stdout.write(JSON.stringify(figures));
