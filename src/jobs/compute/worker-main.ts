import sharp from 'sharp';
import { encodeAnomalyMap } from '../../vision/anomaly-map/anomaly-map.ts';
import { decodeImage, probeImage } from '../../vision/image/decode-image.ts';
import { unusableImage } from '../../vision/image/unusable-image.ts';
import type { ComputeTask, SentVerdict, ToWorker } from './messages.ts';
import { OpenModels } from './open-models.ts';
import { collectRarely, followParent, tellParent } from './process-etiquette.ts';
import { toRemoteError } from './remote-error.ts';
import { renderHeatmap, renderPreview, renderThumbnail } from './render-image.ts';
// Most models need this file. It is loaded while the server starts instead of at the first model.
import '../../vision/algorithms/patchcore/model.ts';

// The entry of a compute process. It opens no file, database or connection. Everything comes by message.

const models = new OpenModels();
let lastPrediction: Promise<unknown> = Promise.resolve();

type PredictTask = Extract<ComputeTask, { kind: 'predict' }>;

/** Runs predictions one after another: a model is open for one at a time. */
function predictInTurn(task: PredictTask): Promise<SentVerdict> {
  const verdict = lastPrediction.then(() => predict(task));
  lastPrediction = verdict.catch(() => {});
  return verdict;
}

async function predict({ model, image, options }: PredictTask): Promise<SentVerdict> {
  const inspector = await models.get(model);
  const { map: _, anomalyMap, ...verdict } = await inspector.inspect(image, { ...options, heatmap: false });
  return { ...verdict, anomalyMap: encodeAnomalyMap(anomalyMap) };
}

async function compute(task: ComputeTask): Promise<unknown> {
  switch (task.kind) {
    case 'predict':
      return await predictInTurn(task);
    case 'heatmap':
      return await renderHeatmap(task);
    case 'probe':
      return await probeImage(task.image);
    case 'unusable':
      return unusableImage(await decodeImage(task.image));
    case 'thumbnail':
      return await renderThumbnail(task.image, task.size);
    case 'preview':
      return await renderPreview(task);
    case 'warm':
      await models.get(task.model);
      return null;
  }
}

async function answer(id: number, task: ComputeTask): Promise<void> {
  try {
    const result = await compute(task);
    await tellParent({ type: 'done', id, result, rssBytes: process.memoryUsage.rss() });
  } catch (error) {
    const closed = 'model' in task && !models.has(task.model) ? { closedModel: task.model } : {};
    await tellParent({
      type: 'failed',
      id,
      error: toRemoteError(error),
      rssBytes: process.memoryUsage.rss(),
      ...closed,
    });
  }
}

function receive(message: ToWorker): void {
  if (message.type === 'task') void answer(message.id, message.task);
  else if (message.type === 'backbone') models.addBackbone(message.hash, message.file);
  else if (message.type === 'open-model') models.open(message.hash, message.model, message.backboneHash);
  else models.close(message.hash).catch(() => {});
}

followParent();
collectRarely();
// Parallel work runs in more processes instead.
sharp.concurrency(1);
sharp.cache(false);
process.on('message', (message) => receive(message as ToWorker));
await tellParent({ type: 'ready' });
