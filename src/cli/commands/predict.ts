import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { Command } from 'commander';
import { type ImageVerdict, openInspector } from '../../vision/inspection/open-inspector.ts';
import { decodeModel } from '../../vision/model-file/model-file.ts';
import { VisionError } from '../../vision/vision-error.ts';
import { CommandError } from '../command-error.ts';
import { backbonesOption, openBackbones, parseNumber } from '../command-options.ts';
import { findImageFiles, type ImageFile } from '../image-files.ts';
import { textTable } from '../text-table.ts';

interface PredictOptions {
  readonly model: string;
  readonly threshold: number;
  readonly ignoreOuter: string;
  readonly minDetectedArea: number;
  readonly heatmaps?: string;
  readonly backbones?: string;
  readonly json?: boolean;
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
  const { threshold, ignoreOuter, minDetectedArea, heatmaps: folder } = options;
  const images = await findImageFiles(paths);
  if (images.length === 0) throw new CommandError(`There is no image in ${paths.join(', ')}.`);
  const heatmaps = heatmapPaths(images);
  const model = await readFile(options.model);
  const backbone = await openBackbones(options.backbones).getBackbone(decodeModel(model).backbone.id);
  const inspector = await openInspector(model, backbone);
  const inspectOptions = { threshold, ignoreOuter, minDetectedArea, heatmap: folder !== undefined };
  const rows: ReturnType<typeof toRow>[] = [];
  const refused: string[] = [];
  for (const [index, { path }] of images.entries()) {
    try {
      const startedAt = performance.now();
      const verdict = await inspector.inspect(await readFile(path), inspectOptions);
      const ms = performance.now() - startedAt;
      const heatmap = folder && join(folder, heatmaps[index] ?? '');
      if (heatmap && verdict.heatmap) {
        await mkdir(dirname(heatmap), { recursive: true });
        await writeFile(heatmap, verdict.heatmap);
      }
      rows.push(toRow(path, verdict, heatmap, ms));
    } catch (error) {
      if (!(error instanceof VisionError && imageFailures.includes(error.code))) throw error;
      refused.push(`${path}: ${error.message}`);
    }
  }
  await inspector.dispose();
  if (options.json) console.log(JSON.stringify(rows));
  else if (rows.length > 0) {
    const cells = rows.map((row) => [row.file, row.result, row.anomaly_score, row.regions.length, row.ms.toFixed(1)]);
    console.log(textTable(['file', 'verdict', 'score', 'regions', 'ms'], cells));
  }
  if (refused.length === 0) return;
  const count = `${refused.length} of ${images.length} files`;
  throw new CommandError(`${count} could not be inspected:\n  ${refused.join('\n  ')}`);
}

/** The path of each image's heatmap, with the subfolders of the image; no two images share one. */
export function heatmapPaths(images: readonly ImageFile[]): string[] {
  const taken = new Set<string>();
  for (const { below } of images) {
    const stem = below.slice(0, below.length - extname(below).length);
    let path = `${stem}_heatmap.jpg`;
    for (let count = 2; taken.has(path); count++) path = `${stem}-${count}_heatmap.jpg`;
    taken.add(path);
  }
  return [...taken];
}

/** What `--json` prints of an image. */
function toRow(file: string, verdict: ImageVerdict, heatmap: string | undefined, ms: number) {
  const { result, anomalyScore, rawScore, detectionAccuracy } = verdict;
  return {
    file,
    result,
    anomaly_score: anomalyScore.toFixed(6),
    raw_score: rawScore,
    detection_accuracy: detectionAccuracy,
    regions: verdict.regions.map(({ xMin, yMin, xMax, yMax, area, outline, anomalyScore: score }) => ({
      x_min: xMin,
      y_min: yMin,
      x_max: xMax,
      y_max: yMax,
      defect_size: area,
      score: score.toFixed(6),
      ...(outline && { outline }),
    })),
    ...(heatmap ? { heatmap } : {}),
    ms,
  };
}
