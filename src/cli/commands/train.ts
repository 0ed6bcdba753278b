import { constants } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { pino } from 'pino';
import { runTraining } from '../../jobs/compute/run-training.ts';
import type { TrainingImage } from '../../jobs/compute/training-messages.ts';
import { render } from '../../messages/message.ts';
import { CommandError } from '../command-error.ts';
import {
  algorithmOption,
  backbonesOption,
  openBackbones,
  parameterOption,
  parseAlgorithmOptions,
  parseOverrides,
} from '../command-options.ts';
import { fileDigest, findImageFiles } from '../image-files.ts';
import { createProgress } from '../progress.ts';

interface TrainOptions {
  algorithm: string;
  output: string;
  param: string[];
  backbones?: string;
  json?: boolean;
}

export function registerTrain(program: Command): void {
  program
    .command('train <folder>')
    .description('learn from a folder of photos of good products, without a running service')
    .addOption(algorithmOption())
    .addOption(parameterOption())
    .option('--output <file>', 'the model', 'model.kensa')
    .addOption(backbonesOption())
    .option('--json', 'print JSON')
    .action(train);
}

async function train(folder: string, options: TrainOptions): Promise<void> {
  const { algorithm, values } = parseAlgorithmOptions(options.algorithm, parseOverrides(options.param));
  const files = await findImageFiles([folder]);
  if (files.length === 0)
    throw new CommandError(`There is no image in ${folder}. Name a folder with photos of good products.`);
  // Checked now, so that a long training does not fail at its end.
  await access(dirname(resolve(options.output)), constants.W_OK);
  const backbone = await openBackbones(options.backbones).getBackbone(String(values['backbone'] ?? 'kensa'));
  const samples: TrainingImage[] = [];
  for (const file of files) {
    const name = basename(file, extname(file));
    samples.push({ itemId: file, name, good: true, regions: [], content: await fileDigest(file) });
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
      backbone: { id: backbone.id, onnx: backbone.onnx, description: backbone.description },
      seed: Number(values['seed'] ?? 0),
    },
    {
      loadImage: (index) => readFile(files[index] ?? ''),
      onProgress: ({ fraction, doing }) => bar.update(fraction, render(doing, 'en')),
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
    },
  );
  bar.end();
  await writeFile(options.output, outcome.modelFile);
  const seconds = (performance.now() - startedAt) / 1000;
  const { leftOut: left_out, doubtful } = outcome;
  const remarks = outcome.remarks.map((remark) => render(remark, 'en'));
  if (options.json) {
    console.log(
      JSON.stringify({
        model: options.output,
        network: backbone.id,
        images: files.length,
        seconds,
        remarks,
        left_out,
        doubtful,
      }),
    );
    return;
  }
  const megabytes = (outcome.modelFile.length / 1e6).toFixed(1);
  console.log(
    `${options.output}: ${megabytes} MB from ${files.length} images in ${seconds.toFixed(1)} s, network ${backbone.id}`,
  );
  for (const remark of remarks) console.log(`- ${remark}`);
}
