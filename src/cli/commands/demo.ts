import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import {
  type Algorithm,
  createKensaClient,
  type KensaClient,
  type Model,
  type TrainedModel,
  type UploadFields,
} from '../../client/kensa-client.ts';
import { loadConfig } from '../../config.ts';
import { type DemoSample, encodeJpeg, renderDemoSet } from '../../demo/demo-product.ts';
import { machinedPart } from '../../demo/machined-part.ts';
import { type RunningService, startService } from '../../main.ts';
import { imageAuroc } from '../../vision/evaluation/ranking-metrics.ts';
import { parseNumber } from '../command-options.ts';
import { createProgress } from '../progress.ts';
import { textTable } from '../text-table.ts';
import { waitForSignal } from './serve.ts';

interface DemoOptions {
  readonly once?: boolean;
  readonly json?: boolean;
  readonly seed: number;
}

const SAMPLES = { good: 40, testGood: 12, testDefect: 12 };
/** Some defects are a few pixels of a picture of 512 × 512; a network input of the same size keeps them. */
const IMAGE_SIZE = '512';

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('start the service, train on a made-up product and inspect unseen samples, through the API')
    .option('--once', 'end after the table; exit code 0 only if the verdicts are right')
    // Scripts of earlier versions name a product.
    .addOption(new Option('--product <id>', 'there is one product').choices([machinedPart.id, 'all']).hideHelp())
    .option('--seed <number>', 'another seed makes other samples', parseNumber, 1)
    .option('--json', 'print JSON')
    .action(runDemo);
}

async function runDemo(options: DemoOptions): Promise<void> {
  const interrupted = waitForSignal().then(() => undefined);
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-demo-'));
  const credentials = { clientId: 'demo', clientSecret: randomBytes(24).toString('base64url') };
  const config = loadConfig({
    KENSA_LOG_LEVEL: 'warn',
    ...(options.once ? { PORT: '0' } : {}),
    ...process.env,
    KENSA_DATA_DIR: dataDir,
    DATABASE_URL: '',
    BLOB_URL: '',
    KENSA_CLIENT_ID: credentials.clientId,
    KENSA_CLIENT_SECRET: credentials.clientSecret,
  });
  let service: RunningService | undefined;
  let result: Awaited<ReturnType<typeof trainAndInspect>> | undefined;
  try {
    service = await startService(config);
    const work = trainAndInspect(createKensaClient({ baseUrl: service.url, ...credentials }), options);
    // After an interruption the work fails because the service has stopped. That failure is not reported.
    work.catch(() => {});
    result = await Promise.race([work, interrupted]);
    if (result && !options.once) {
      console.error(`\nLook further: ${service.url} (the API: ${service.url}/docs)`);
      console.error(`  client_id:     ${credentials.clientId}\n  client_secret: ${credentials.clientSecret}`);
      console.error('Kensa stays up until Ctrl-C. Then everything that the demo made is deleted.');
      await interrupted;
    }
  } finally {
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  if (!result) process.exit(130);
  const isRight = result.escapes === 0 && result.falseAlarms <= 1;
  if (options.once) process.exitCode = isRight ? 0 : 1;
}

async function trainAndInspect(client: KensaClient, { seed, json }: DemoOptions) {
  const { training, test } = renderDemoSet(machinedPart, seed, SAMPLES);
  if (!json) console.error(`\n${machinedPart.name}: ${training.length} good samples, ${test.length} unseen ones`);
  const model = await trainModel(client, training);
  const result = await inspectSamples(client, model, test);
  if (json) console.log(JSON.stringify([result]));
  else printResult(result, model.status_text);
  return result;
}

async function trainModel(client: KensaClient, samples: readonly DemoSample[]): Promise<TrainedModel> {
  const path = '/api/v1/algorithms/patchcore';
  const itemIds = await upload(client, samples, { training: 'true', good: 'true' });
  const { parameters } = await client.request<Algorithm>('GET', path);
  const imageSize = parameters.find(({ name }) => name === 'image_size');
  const { model_id: id } = await client.request<Model>('POST', `${path}/train`, {
    name: `demo ${machinedPart.id}`,
    item_ids: itemIds,
    override_params: [{ algorithm_parameter_id: imageSize?.algorithm_parameter_id, value: IMAGE_SIZE }],
  });
  const bar = createProgress('training  ');
  const model = await client.waitForModel(id, (text) => {
    const percent = / (\d+) %$/.exec(text)?.[1];
    if (percent !== undefined) bar.update(Number(percent) / 100, text);
  });
  bar.end();
  return model;
}

async function inspectSamples(client: KensaClient, model: TrainedModel, samples: readonly DemoSample[]) {
  const itemIds = await upload(client, samples, { training: 'false' });
  const startedAt = performance.now();
  await client.predictItems(model.model_id, itemIds);
  const bar = createProgress('predicting');
  const items = await client.waitForItems(itemIds, (done) =>
    bar.update(done / itemIds.length, `${done}/${itemIds.length}`),
  );
  bar.end();
  const msPerImage = (performance.now() - startedAt) / items.length;
  const rows = samples.map((sample, index) => {
    const assessment = items[index]?.assessments[0];
    return {
      sample: sample.name,
      truth: sample.defect === undefined ? 'OK' : 'NG',
      verdict: assessment?.result ?? 'failed',
      score: Number(assessment?.anomaly_score ?? 0),
      regions: assessment?.detected_objects ?? 0,
    };
  });
  const good = rows.filter(({ truth }) => truth === 'OK');
  const defects = rows.filter(({ truth }) => truth === 'NG');
  const scores = { good: good.map(({ score }) => score), defect: defects.map(({ score }) => score) };
  return {
    product: machinedPart.id,
    rows,
    auroc: imageAuroc(scores) ?? 0,
    escapes: defects.filter(({ verdict }) => verdict !== 'NG').length,
    falseAlarms: good.filter(({ verdict }) => verdict !== 'OK').length,
    trainingSeconds: model.training_time ?? 0,
    msPerImage,
  };
}

async function upload(client: KensaClient, samples: readonly DemoSample[], fields: UploadFields): Promise<string[]> {
  const bar = createProgress('uploading ');
  const itemIds: string[] = [];
  for (const [index, sample] of samples.entries()) {
    const bytes = await encodeJpeg(await sample.render());
    itemIds.push(...(await client.uploadItems([{ name: `${sample.name}.jpg`, bytes }], fields)));
    bar.update((index + 1) / samples.length, `${index + 1}/${samples.length} ${sample.name}`);
  }
  bar.end();
  return itemIds;
}

function printResult(result: Awaited<ReturnType<typeof inspectSamples>>, statusText: string): void {
  const cells = result.rows.map((row) => [
    row.sample,
    row.truth,
    row.verdict,
    row.score.toFixed(6),
    row.regions,
    row.truth === row.verdict ? 'right' : 'WRONG',
  ]);
  console.log(textTable(['sample', 'truth', 'verdict', 'score', 'regions', ''], cells));
  console.log(
    `AUROC ${result.auroc.toFixed(4)}, ${result.escapes} escapes, ${result.falseAlarms} false alarms; ` +
      `training ${result.trainingSeconds} s, ${result.msPerImage.toFixed(1)} ms an image through the API`,
  );
  if (statusText !== 'Ready.') console.log(`Model: ${statusText}`);
}
