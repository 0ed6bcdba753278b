import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Command } from 'commander';
import { createBackboneCatalogue } from '../../domains/algorithms/backbone-catalogue.ts';
import { openInspector } from '../../vision/inspection/open-inspector.ts';
import { decodeModel } from '../../vision/model-file.ts';
import { findImageFiles } from '../image-files.ts';
import { textTable } from '../text-table.ts';

interface PredictOptions {
  model: string;
  threshold: string;
  ignoreOuter: string;
  minDetectedArea: string;
  heatmaps?: string;
  backbones?: string;
  json?: boolean;
}

export function registerPredict(program: Command): void {
  program
    .command('predict <files...>')
    .description('judge photos with a model that "kensa train" made, without a running service')
    .option('--model <file>', 'the model', 'model.kensa')
    .option('--threshold <score>', 'NG from this anomaly score on, 0 to 1', '0.5')
    .option('--ignore-outer <lengths>', 'margin that is not inspected, such as 5% or "5% 10px"', 'none')
    .option('--min-detected-area <pixels>', 'smaller regions are dropped, square pixels', '0')
    .option('--heatmaps <folder>', 'write the heatmap of each photo there')
    .option('--backbones <folder>', "folder of the user's own ONNX networks")
    .option('--json', 'print JSON')
    .action(predict);
}

async function predict(paths: string[], options: PredictOptions): Promise<void> {
  const modelBytes = await readFile(options.model);
  const { backbone: used } = decodeModel(modelBytes);
  const backbone = await createBackboneCatalogue(options.backbones).getBackbone(used.id);
  const inspector = await openInspector(modelBytes, backbone);
  if (options.heatmaps) await mkdir(options.heatmaps, { recursive: true });
  const rows = [];
  for (const file of await findImageFiles(paths)) {
    const startedAt = performance.now();
    const verdict = await inspector.inspect(await readFile(file), {
      threshold: Number(options.threshold),
      ignoreOuter: options.ignoreOuter,
      minDetectedArea: Number(options.minDetectedArea),
      heatmap: options.heatmaps !== undefined,
    });
    const ms = performance.now() - startedAt;
    if (options.heatmaps && verdict.heatmap) {
      const name = `${basename(file, extname(file))}_heatmap.jpg`;
      await writeFile(join(options.heatmaps, name), verdict.heatmap);
    }
    const regions = verdict.regions.map(({ xMin, yMin, xMax, yMax, area, anomalyScore }) => ({
      ...{ x_min: xMin, y_min: yMin, x_max: xMax, y_max: yMax, defect_size: area },
      score: anomalyScore.toFixed(6),
    }));
    const { result, anomalyScore, rawScore, detectionAccuracy } = verdict;
    rows.push({
      file,
      result,
      anomaly_score: anomalyScore.toFixed(6),
      raw_score: rawScore,
      detection_accuracy: detectionAccuracy,
      regions,
      ms,
    });
  }
  await inspector.dispose();
  if (options.json) console.log(JSON.stringify(rows));
  else printTable(rows);
}

function printTable(
  rows: readonly { file: string; result: string; anomaly_score: string; regions: object[]; ms: number }[],
): void {
  const cells = rows.map((row) => [row.file, row.result, row.anomaly_score, row.regions.length, row.ms.toFixed(1)]);
  console.log(textTable(['file', 'verdict', 'score', 'regions', 'ms'], cells));
}
