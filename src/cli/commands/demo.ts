import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { createKensaClient, type KensaClient, type UploadFields } from '../../client/kensa-client.ts';
import { type Config, loadConfig } from '../../config.ts';
import { encodeImage } from '../../demo/encode-image.ts';
import { getDemoProduct, products } from '../../demo/products.ts';
import { type DemoSample, renderDemoSet } from '../../demo/render-demo-set.ts';
import { type RunningService, startService } from '../../main.ts';
import { imageAuroc } from '../../vision/evaluation/ranking-metrics.ts';
import { parseNumber } from '../number-option.ts';
import { createProgress } from '../progress.ts';
import { textTable } from '../text-table.ts';
import { waitForSignal } from '../wait-for-signal.ts';

interface DemoOptions {
  once?: boolean;
  json?: boolean;
  product: string;
  seed: number;
}

interface DemoRow {
  readonly sample: string;
  readonly truth: 'OK' | 'NG';
  readonly verdict: 'OK' | 'NG' | 'failed';
  readonly score: number;
  readonly regions: number;
}

interface DemoResult {
  readonly product: string;
  readonly rows: readonly DemoRow[];
  readonly auroc: number;
  readonly escapes: number;
  readonly falseAlarms: number;
  readonly trainingSeconds: number;
  readonly msPerImage: number;
}

const goodForTraining = 40;
/** Some defects are a few pixels of a photo of 512: a network input as large keeps them. */
const demoParameters: Readonly<Record<string, string>> = { image_size: '512' };
const unseen = { good: 12, defect: 12 };

export function registerDemo(program: Command): void {
  const ids = products.map((product) => product.id);
  program
    .command('demo')
    .description('start the service, train on a made-up product and judge unseen samples, through the API')
    .option('--once', 'end after the table; exit code 0 only if the verdicts are right')
    .addOption(new Option('--product <id>', 'which product').choices([...ids, 'all']).default(ids[0]))
    .option('--seed <number>', 'another seed makes other samples', parseNumber, 1)
    .option('--json', 'print JSON')
    .action(runDemo);
}

async function runDemo(options: DemoOptions): Promise<void> {
  const ended = waitForSignal().then(() => 'interrupted' as const);
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-demo-'));
  const credentials = { clientId: 'demo', clientSecret: randomBytes(12).toString('base64url') };
  let service: RunningService | undefined;
  let outcome: 'interrupted' | DemoResult[] | undefined;
  try {
    service = await startService(demoConfig(options, dataDir, credentials));
    const work = inspectProducts(createKensaClient({ baseUrl: service.url, ...credentials }), options);
    // After an interruption it fails on the service that has stopped, which is no news.
    work.catch(() => {});
    outcome = await Promise.race([work, ended]);
    if (outcome !== 'interrupted' && !options.once) {
      sayWhereToLook(service.url, credentials);
      await ended;
    }
  } finally {
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  if (outcome === 'interrupted') process.exit(130);
  const right = outcome.every(({ escapes, falseAlarms }) => escapes === 0 && falseAlarms <= 1);
  if (options.once) process.exitCode = right ? 0 : 1;
}

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

function demoConfig(options: DemoOptions, dataDir: string, credentials: Credentials): Config {
  return loadConfig({
    KENSA_LOG_LEVEL: 'warn',
    ...(options.once ? { PORT: '0' } : {}),
    ...process.env,
    KENSA_DATA_DIR: dataDir,
    ...{ DATABASE_URL: '', BLOB_URL: '' },
    KENSA_CLIENT_ID: credentials.clientId,
    KENSA_CLIENT_SECRET: credentials.clientSecret,
  });
}

function sayWhereToLook(url: string, credentials: Credentials): void {
  console.error(`\nLook further: ${url} (the API: ${url}/docs)`);
  console.error(`  client_id:     ${credentials.clientId}\n  client_secret: ${credentials.clientSecret}`);
  console.error('Kensa stays up until Ctrl-C; what the demo made is deleted then.');
}

async function inspectProducts(client: KensaClient, { product, seed, json }: DemoOptions): Promise<DemoResult[]> {
  const chosen = product === 'all' ? products.map(({ id }) => id) : [product];
  const results: DemoResult[] = [];
  for (const id of chosen) results.push(await inspectProduct(client, id, seed, json === true));
  if (json) console.log(JSON.stringify(results));
  return results;
}

async function inspectProduct(client: KensaClient, id: string, seed: number, quiet: boolean): Promise<DemoResult> {
  const product = getDemoProduct(id);
  const set = renderDemoSet(product, seed, { good: goodForTraining, testGood: unseen.good, testDefect: unseen.defect });
  if (!quiet) console.error(`\n${product.name}: ${set.training.length} good samples, ${set.test.length} unseen ones`);
  const trainingIds = await upload(client, set.training, { training: 'true', good: 'true' });
  const modelId = await startTraining(client, `demo ${id}`, trainingIds);
  const bar = createProgress('training  ');
  const model = await client.waitForModel(modelId, (text) => {
    const percent = / (\d+) %$/.exec(text)?.[1];
    if (percent !== undefined) bar.update(Number(percent) / 100, text);
  });
  bar.end();

  const itemIds = await upload(client, set.test, { training: 'false' });
  const startedAt = performance.now();
  await client.request('POST', `/api/v1/models/${modelId}/predict`, { item_ids: itemIds });
  const counting = createProgress('predicting');
  const items = await client.waitForItems(itemIds, (done) =>
    counting.update(done / itemIds.length, `${done}/${itemIds.length}`),
  );
  counting.end();
  const msPerImage = (performance.now() - startedAt) / items.length;

  const rows = set.test.map((sample, index): DemoRow => {
    const assessment = items[index]?.assessments[0];
    return {
      sample: sample.name,
      truth: sample.defect === undefined ? 'OK' : 'NG',
      verdict: assessment?.result ?? 'failed',
      score: Number(assessment?.anomaly_score ?? 0),
      regions: assessment?.detected_objects ?? 0,
    };
  });
  const result = summarize(id, rows, model.training_time ?? 0, msPerImage);
  if (!quiet) printResult(result, model.status_text);
  return result;
}

async function startTraining(client: KensaClient, name: string, itemIds: readonly string[]): Promise<string> {
  const path = '/api/v1/algorithms/patchcore';
  const { parameters } = await client.request<{ parameters: { name: string; algorithm_parameter_id: number }[] }>(
    'GET',
    path,
  );
  const overrides = parameters.flatMap((parameter) => {
    const value = demoParameters[parameter.name];
    return value === undefined ? [] : [{ algorithm_parameter_id: parameter.algorithm_parameter_id, value }];
  });
  const order = { name, item_ids: itemIds, override_params: overrides };
  return (await client.request<{ model_id: string }>('POST', `${path}/train`, order)).model_id;
}

function summarize(product: string, rows: readonly DemoRow[], trainingSeconds: number, msPerImage: number): DemoResult {
  const scoresOf = (truth: DemoRow['truth']) => rows.filter((row) => row.truth === truth).map((row) => row.score);
  return {
    product,
    rows,
    auroc: imageAuroc({ good: scoresOf('OK'), defect: scoresOf('NG') }) ?? 0,
    escapes: rows.filter((row) => row.truth === 'NG' && row.verdict !== 'NG').length,
    falseAlarms: rows.filter((row) => row.truth === 'OK' && row.verdict !== 'OK').length,
    trainingSeconds,
    msPerImage,
  };
}

function printResult(result: DemoResult, statusText: string): void {
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

async function upload(client: KensaClient, samples: readonly DemoSample[], fields: UploadFields): Promise<string[]> {
  const bar = createProgress('uploading ');
  const itemIds: string[] = [];
  for (const [index, sample] of samples.entries()) {
    const bytes = await encodeImage((await sample.render()).image, 'jpeg');
    itemIds.push(...(await client.uploadItems([{ name: `${sample.name}.jpg`, bytes }], fields)));
    bar.update((index + 1) / samples.length, `${index + 1}/${samples.length} ${sample.name}`);
  }
  bar.end();
  return itemIds;
}
