import type { Command } from 'commander';
import { collectRarely } from '../../collect-rarely.ts';
import { evaluateFolder } from '../evaluate-folder.ts';
import type { EvaluationReport } from '../evaluation-report.ts';
import { parseCount, parseNumber } from '../number-option.ts';
import { algorithmOption, parameterOption, parseOverrides } from '../parameter-options.ts';

function printReport(report: EvaluationReport): void {
  for (const [name, value] of Object.entries(report)) {
    const text = typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(4) : JSON.stringify(value);
    process.stdout.write(`${name.padEnd(16)} ${text}\n`);
  }
}

interface EvaluateFlags {
  readonly algorithm: string;
  readonly param: readonly string[];
  readonly trainLimit?: number;
  readonly dirty?: number;
  readonly dirtSeed: number;
  readonly setAside?: boolean;
  readonly labelled?: number;
  readonly labelSeed: number;
  readonly backbones?: string;
  readonly boxes?: boolean;
  readonly json?: boolean;
}

async function evaluate(directory: string, flags: EvaluateFlags): Promise<void> {
  collectRarely();
  const terminal = process.stderr.isTTY && !flags.json;
  const report = await evaluateFolder({
    directory,
    algorithm: flags.algorithm,
    params: parseOverrides(flags.param),
    boxes: flags.boxes ?? false,
    ...(flags.trainLimit === undefined ? {} : { trainLimit: flags.trainLimit }),
    ...(flags.dirty === undefined
      ? {}
      : { dirt: { share: flags.dirty, seed: flags.dirtSeed, mixedIn: !flags.setAside } }),
    ...(flags.labelled === undefined ? {} : { labelled: { count: flags.labelled, seed: flags.labelSeed } }),
    ...(flags.backbones ? { backbonesFolder: flags.backbones } : {}),
    report: (text) => {
      if (terminal) process.stderr.write(`\r\u001b[K${text}`);
    },
  });
  if (terminal) process.stderr.write('\r\u001b[K');
  if (flags.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else printReport(report);
}

/** Adds `evaluate DIR` to the program. */
export function registerEvaluate(program: Command): void {
  program
    .command('evaluate')
    .description('train on train/good of a folder and measure on its test images')
    .argument('<dir>', 'folder with train/good, test/good, test/<kind>, and masks in ground_truth/<kind>')
    .addOption(algorithmOption())
    .addOption(parameterOption())
    .option('--train-limit <n>', 'use the first n training images only', parseCount)
    .option(
      '--dirty <share>',
      'mix defects of the test among the training images, unlabelled, such as 0.05',
      parseNumber,
    )
    .option('--dirt-seed <n>', 'which defects --dirty draws', parseNumber, 0)
    .option('--set-aside', 'take what --dirty draws out of the test, but not into the training: to compare with')
    .option(
      '--labelled <n>',
      'learn from so many defects of the test (below 1: such a share), annotated by their masks',
      parseNumber,
    )
    .option('--label-seed <n>', 'which defects --labelled draws', parseNumber, 0)
    .option('--backbones <folder>', 'folder of your own networks')
    .option('--boxes', 'the folder holds rectangles in the layout of DeepPCB; half of it is for training')
    .option('--json', 'print the figures as JSON')
    .action(evaluate);
}
