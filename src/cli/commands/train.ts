import { constants } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { pino } from 'pino';
import type { TrainingImage } from '../../jobs/compute/messages.ts';
import { runTraining } from '../../jobs/compute/run-training.ts';
import { render } from '../../messages/message.ts';
import { CommandError } from '../command-error.ts';
import { type AlgorithmOptions, addAlgorithmOptions, openAlgorithm } from '../command-options.ts';
import { fileDigest, findImageFiles } from '../image-files.ts';
import { createProgress } from '../progress.ts';

interface TrainOptions extends AlgorithmOptions {
  readonly output: string;
  readonly json?: boolean;
}

export function registerTrain(program: Command): void {
  const command = program
    .command('train <folder>')
    .description('learn from a folder of images of good products, without a running service');
  addAlgorithmOptions(command)
    .option('--output <file>', 'the model', 'model.kensa')
    .option('--json', 'print JSON')
    .action(train);
}

async function train(folder: string, options: TrainOptions): Promise<void> {
  const { algorithm, values, backbone } = await openAlgorithm(options);
  const files = await findImageFiles([folder]);
  if (files.length === 0) {
    throw new CommandError(`There is no image in ${folder}. Name a folder with images of good products.`);
  }
  // Checked now, so that a long training does not fail at its end.
  await access(dirname(resolve(options.output)), constants.W_OK);
  const samples: TrainingImage[] = [];
  for (const { path } of files) {
    const name = basename(path, extname(path));
    samples.push({ itemId: path, name, good: true, regions: [], content: await fileDigest(path) });
  }
  const bar = createProgress('training');
  const startedAt = performance.now();
  const outcome = await runTraining(
    {
      kind: 'train',
      algorithmId: algorithm.id,
      parameterValues: values,
      steps: [],
      references: {},
      samples,
      backbone,
      seed: Number(values['seed'] ?? 0),
    },
    {
      loadImage: (index) => readFile(files[index]?.path ?? ''),
      onProgress: ({ fraction, doing }) => bar.update(fraction, render(doing, 'en')),
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
    },
  );
  bar.end();
  await writeFile(options.output, outcome.modelFile);
  const { output: model, json } = options;
  const seconds = (performance.now() - startedAt) / 1000;
  const remarks = outcome.remarks.map((remark) => render(remark, 'en'));
  if (json) {
    const left_out = outcome.outliers.map(({ name }) => name);
    const doubtful = outcome.doubtful.map(({ name }) => name);
    const images = files.length;
    console.log(JSON.stringify({ model, network: backbone.id, images, seconds, remarks, left_out, doubtful }));
    return;
  }
  const size = `${(outcome.modelFile.length / 1e6).toFixed(1)} MB`;
  console.log(`${model}: ${size} from ${files.length} images in ${seconds.toFixed(1)} s, network ${backbone.id}`);
  for (const remark of remarks) console.log(`- ${remark}`);
}
