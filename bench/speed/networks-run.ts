// Learns a folder's good photos with each network, judges some of its test photos with one network and then with the next, and
// prints one line of JSON: networks-run.js FOLDER NETWORKS PHOTOS TURNS NETWORK…
import sharp from 'sharp';
import { readDatasetFolder } from '../../src/cli/dataset-folder.ts';
import { collectRarely } from '../../src/collect-rarely.ts';
import { measureTurns } from './measure-turns.ts';
import { readPhotos } from './photo-folder.ts';
import { type TrainedInspector, trainInspector } from './train-inspector.ts';

/** Milliseconds from a photo's bytes to verdict and regions, by network. */
export interface NetworksRun {
  readonly whole: Readonly<Record<string, readonly number[]>>;
  /** What of it was decoding and bringing the photo to the network's size, which is the same for every network. */
  readonly decoding: Readonly<Record<string, readonly number[]>>;
}

const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0, heatmap: false };
const [folder = '.', networks = '.', photoCount = '20', turns = '3', ...names] = process.argv.slice(2);
// As compute processes are.
collectRarely();
sharp.concurrency(1);
sharp.cache(false);

const { trainGood, test } = await readDatasetFolder(folder);
const training = await readPhotos(trainGood);
const every = Math.max(1, Math.floor(test.length / Number(photoCount)));
const photos = await readPhotos(test.filter((_, index) => index % every === 0).map(({ path }) => path));
const decoding: Record<string, number[]> = {};
const judge = (name: string, { inspector }: TrainedInspector): (() => Promise<void>) => {
  let judged = 0;
  decoding[name] = [];
  return async () => {
    const photo = photos[judged++ % photos.length];
    if (!photo) throw new Error(`there is no photo to judge in ${folder}`);
    const { stages } = await inspector.inspect(photo, options);
    decoding[name]?.push(stages?.['decode'] ?? 0);
  };
};
const work: Record<string, () => Promise<void>> = {};
for (const name of names) work[name] = judge(name, await trainInspector(training, name, networks));
// The first turn over all photos warms up.
const whole = await measureTurns(work, { warmUp: 1, runs: Number(turns), inARow: photos.length });
for (const name of names) decoding[name]?.splice(0, photos.length);
const run: NetworksRun = { whole, decoding };
console.log(JSON.stringify(run));
process.exit(0);
