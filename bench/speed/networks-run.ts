// Learns a folder's good photos with each network, judges some of its test photos with one network and then with the next, and
// prints one line of JSON: networks-run.js FOLDER NETWORKS PHOTOS TURNS NETWORK…
import sharp from 'sharp';
import { readDatasetFolder } from '../../src/cli/dataset-folder.ts';
import { collectRarely } from '../../src/collect-rarely.ts';
import { openBackbone } from '../../src/vision/backbone/open-backbone.ts';
import { decodeImage } from '../../src/vision/image/decode-image.ts';
import { resizeImage } from '../../src/vision/image/resize-image.ts';
import { measureTurns } from './measure-turns.ts';
import { readPhotos } from './photo-folder.ts';
import { type TrainedInspector, trainInspector } from './train-inspector.ts';

/** Milliseconds from a photo's bytes to verdict and regions, by network. */
export interface NetworksRun {
  readonly whole: Readonly<Record<string, readonly number[]>>;
  /** What of it was decoding and bringing the photo to the network's size, which is the same for every network. */
  readonly decoding: Readonly<Record<string, readonly number[]>>;
  /** The network alone, from a picture of 256 × 256. */
  readonly network: Readonly<Record<string, readonly number[]>>;
}

const INPUT = 256;

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
const picture = await resizeImage(await decodeImage(photos[0] ?? new Uint8Array()), INPUT, INPUT);
const work: Record<string, () => Promise<void>> = {};
const levels: Record<string, () => Promise<unknown>> = {};
for (const name of names) {
  const trained = await trainInspector(training, name, networks);
  const backbone = await openBackbone(trained.backbone);
  work[name] = judge(name, trained);
  levels[name] = () => backbone.extractLevels(picture);
}
const inARow = photos.length;
// The first turn over all photos warms up.
const whole = await measureTurns(work, { warmUp: 1, runs: Number(turns), inARow });
const network = await measureTurns(levels, { warmUp: 1, runs: Number(turns), inARow });
for (const name of names) decoding[name]?.splice(0, photos.length);
const run: NetworksRun = { whole, decoding, network };
console.log(JSON.stringify(run));
process.exit(0);
