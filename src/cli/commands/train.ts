import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import { pino } from 'pino';
import { createBackboneCatalogue } from '../../domains/algorithms/backbone-catalogue.ts';
import { AppError } from '../../errors.ts';
import { runTraining } from '../../jobs/compute/run-training.ts';
import { findImageFiles } from '../image-files.ts';
import { collectParameter, parseAlgorithmOptions } from '../parameter-options.ts';
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
    .option('--algorithm <id>', 'algorithm of the catalogue', 'patchcore')
    .option('--param <name=value>', 'a parameter of the algorithm, any number of times', collectParameter, [])
    .option('--output <file>', 'the model', 'model.kensa')
    .option('--backbones <folder>', "folder of the user's own ONNX networks")
    .option('--json', 'print JSON')
    .action(train);
}

async function train(folder: string, options: TrainOptions): Promise<void> {
  const { algorithm, values } = parseAlgorithmOptions(options.algorithm, options.param);
  const files = await findImageFiles([folder]);
  if (files.length === 0)
    throw new AppError('training-data-insufficient', { reason: `there is no image in ${folder}.` });
  const backbone = await createBackboneCatalogue(options.backbones).getBackbone(String(values['backbone'] ?? 'kensa'));
  const bar = createProgress('training');
  const startedAt = performance.now();
  const outcome = await runTraining({
    algorithmId: algorithm.id,
    parameterValues: values,
    steps: [],
    references: {},
    samples: files.map((file) => ({ itemId: file, name: basename(file, extname(file)), good: true, regions: [] })),
    loadImage: (index) => readFile(files[index] ?? ''),
    backbone,
    seed: Number(values['seed'] ?? 0),
    onProgress: ({ fraction, text }) => bar.update(fraction, text),
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
  });
  bar.end();
  await writeFile(options.output, outcome.modelFile);
  const seconds = (performance.now() - startedAt) / 1000;
  const { remarks, leftOut: left_out, doubtful } = outcome;
  if (options.json) {
    console.log(JSON.stringify({ model: options.output, images: files.length, seconds, remarks, left_out, doubtful }));
    return;
  }
  const megabytes = (outcome.modelFile.length / 1e6).toFixed(1);
  console.log(`${options.output}: ${megabytes} MB from ${files.length} images in ${seconds.toFixed(1)} s`);
  for (const remark of remarks) console.log(`- ${remark}`);
}
