import type { Command } from 'commander';
import { type AlgorithmOptions, addAlgorithmOptions, parseCount, parseNumber } from '../command-options.ts';
import { readDatasetFolder } from '../dataset-folder.ts';
import { evaluateDataset } from '../evaluate-dataset.ts';
import { labelDefects } from '../label-defects.ts';

interface EvaluateFlags extends AlgorithmOptions {
  readonly trainLimit?: number;
  readonly labelled?: number;
  readonly labelSeed: number;
  readonly json?: boolean;
}

export function registerEvaluate(program: Command): void {
  const command = program
    .command('evaluate')
    .description('train on train/good of a folder and measure on its test images')
    .argument('<dir>', 'folder with train/good, test/good, test/<kind>, and masks in ground_truth/<kind>');
  addAlgorithmOptions(command)
    .option('--train-limit <n>', 'use the first n training images only', parseCount)
    .option(
      '--labelled <n>',
      'learn from n defects of the test (below 1: from this share of them), annotated by their masks',
      parseNumber,
    )
    .option('--label-seed <n>', 'which defects --labelled draws', parseNumber, 0)
    .option('--json', 'print the figures as JSON')
    .action(evaluate);
}

async function evaluate(directory: string, flags: EvaluateFlags): Promise<void> {
  const { trainLimit, labelled, labelSeed, json } = flags;
  const folder = await readDatasetFolder(directory, trainLimit);
  const dataset = labelled === undefined ? folder : await labelDefects(folder, { count: labelled, seed: labelSeed });
  const showLine = (text: string): void => {
    if (process.stderr.isTTY && !json) process.stderr.write(`\r\u001b[K${text}`);
  };
  const { report } = await evaluateDataset(dataset, { ...flags, report: showLine });
  showLine('');
  if (json) return console.log(JSON.stringify(report));
  for (const [name, value] of Object.entries(report)) {
    const text = typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(4) : JSON.stringify(value);
    console.log(`${name.padEnd(16)} ${text}`);
  }
}
