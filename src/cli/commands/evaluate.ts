import type { Command } from 'commander';
import { collectRarely } from '../../collect-rarely.ts';
import {
  algorithmOption,
  backbonesOption,
  parameterOption,
  parseCount,
  parseNumber,
  parseOverrides,
} from '../command-options.ts';
import { readDatasetFolder } from '../dataset-folder.ts';
import { evaluateDataset } from '../evaluate-dataset.ts';
import type { EvaluationReport } from '../evaluation-report.ts';
import { labelDefects } from '../label-defects.ts';

interface EvaluateFlags {
  readonly algorithm: string;
  readonly param: readonly string[];
  readonly trainLimit?: number;
  readonly labelled?: number;
  readonly labelSeed: number;
  readonly backbones?: string;
  readonly json?: boolean;
}

export function registerEvaluate(program: Command): void {
  program
    .command('evaluate')
    .description('train on train/good of a folder and measure on its test images')
    .argument('<dir>', 'folder with train/good, test/good, test/<kind>, and masks in ground_truth/<kind>')
    .addOption(algorithmOption())
    .addOption(parameterOption())
    .option('--train-limit <n>', 'use the first n training images only', parseCount)
    .option(
      '--labelled <n>',
      'learn from n defects of the test (below 1: from this share of them), annotated by their masks',
      parseNumber,
    )
    .option('--label-seed <n>', 'which defects --labelled draws', parseNumber, 0)
    .addOption(backbonesOption())
    .option('--json', 'print the figures as JSON')
    .action(evaluate);
}

async function evaluate(directory: string, flags: EvaluateFlags): Promise<void> {
  collectRarely();
  const folder = await readDatasetFolder(directory, flags.trainLimit);
  const labels = flags.labelled === undefined ? undefined : { count: flags.labelled, seed: flags.labelSeed };
  const dataset = labels ? await labelDefects(folder, labels) : folder;
  const onTerminal = process.stderr.isTTY && !flags.json;
  const { report } = await evaluateDataset(dataset, {
    algorithm: flags.algorithm,
    params: parseOverrides(flags.param),
    backbonesFolder: flags.backbones,
    report: (text) => {
      if (onTerminal) process.stderr.write(`\r\u001b[K${text}`);
    },
  });
  if (onTerminal) process.stderr.write('\r\u001b[K');
  if (flags.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else printReport(report);
}

function printReport(report: EvaluationReport): void {
  for (const [name, value] of Object.entries(report)) {
    const text = typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(4) : JSON.stringify(value);
    process.stdout.write(`${name.padEnd(16)} ${text}\n`);
  }
}
