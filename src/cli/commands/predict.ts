import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { collectRarely } from '../../collect-rarely.ts';
import { type Inspector, openInspector } from '../../vision/inspection/open-inspector.ts';
import { decodeModel } from '../../vision/model-file/model-file.ts';
import { VisionError } from '../../vision/vision-error.ts';
import { CommandError } from '../command-error.ts';
import { backbonesOption, openBackbones, parseNumber } from '../command-options.ts';
import { findImagesToInspect } from '../image-files.ts';
import { textTable } from '../text-table.ts';

interface PredictOptions {
  model: string;
  threshold: number;
  ignoreOuter: string;
  minDetectedArea: number;
  heatmaps?: string;
  backbones?: string;
  json?: boolean;
}

export function registerPredict(program: Command): void {
  program
    .command('predict <files...>')
    .description('inspect images with a model that "kensa train" made, without a running service')
    .option('--model <file>', 'the model', 'model.kensa')
    .option('--threshold <score>', 'NG from this anomaly score on, 0 to 1', parseNumber, 0.5)
    .option('--ignore-outer <lengths>', 'margin that is not inspected, such as 5% or "5% 10px"', 'none')
    .option('--min-detected-area <pixels>', 'smaller regions are dropped, square pixels', parseNumber, 0)
    .option('--heatmaps <folder>', 'write the heatmap of each image there')
    .addOption(backbonesOption())
    .option('--json', 'print JSON')
    .action(predict);
}

/** Failures of one image, after which the others are still inspected. */
const imageFailures: readonly string[] = ['not_an_image', 'truncated_image', 'image_too_large'];

async function predict(paths: string[], options: PredictOptions): Promise<void> {
  collectRarely();
  const images = await findImagesToInspect(paths);
  if (images.length === 0) throw new CommandError(`There is no image in ${paths.join(', ')}.`);
  const inspector = await openModel(options);
  const rows: Row[] = [];
  const refused: string[] = [];
  for (const image of images) {
    try {
      rows.push(await inspect(inspector, image, options));
    } catch (error) {
      if (!(error instanceof VisionError && imageFailures.includes(error.code))) throw error;
      refused.push(`${image.path}: ${error.message}`);
    }
  }
  await inspector.dispose();
  if (options.json) console.log(JSON.stringify(rows));
  else if (rows.length > 0) printTable(rows);
  if (refused.length > 0)
    throw new CommandError(
      `${refused.length} of ${images.length} files could not be inspected:\n  ${refused.join('\n  ')}`,
    );
}

async function openModel({ model, backbones }: PredictOptions): Promise<Inspector> {
  const modelBytes = await readFile(model);
  const { backbone: used } = decodeModel(modelBytes);
  return openInspector(modelBytes, await openBackbones(backbones).getBackbone(used.id));
}

async function inspect(inspector: Inspector, image: { path: string; heatmap: string }, options: PredictOptions) {
  const startedAt = performance.now();
  const verdict = await inspector.inspect(await readFile(image.path), {
    threshold: options.threshold,
    ignoreOuter: options.ignoreOuter,
    minDetectedArea: options.minDetectedArea,
    heatmap: options.heatmaps !== undefined,
  });
  const ms = performance.now() - startedAt;
  const heatmap = options.heatmaps && verdict.heatmap && join(options.heatmaps, image.heatmap);
  if (heatmap && verdict.heatmap) {
    await mkdir(dirname(heatmap), { recursive: true });
    await writeFile(heatmap, verdict.heatmap);
  }
  const { result, anomalyScore, rawScore, detectionAccuracy } = verdict;
  return {
    file: image.path,
    result,
    anomaly_score: anomalyScore.toFixed(6),
    raw_score: rawScore,
    detection_accuracy: detectionAccuracy,
    regions: verdict.regions.map(({ xMin, yMin, xMax, yMax, area, anomalyScore: score }) => ({
      x_min: xMin,
      y_min: yMin,
      x_max: xMax,
      y_max: yMax,
      defect_size: area,
      score: score.toFixed(6),
    })),
    ...(heatmap ? { heatmap } : {}),
    ms,
  };
}

type Row = Awaited<ReturnType<typeof inspect>>;

function printTable(rows: readonly Row[]): void {
  const cells = rows.map((row) => [row.file, row.result, row.anomaly_score, row.regions.length, row.ms.toFixed(1)]);
  console.log(textTable(['file', 'verdict', 'score', 'regions', 'ms'], cells));
}
