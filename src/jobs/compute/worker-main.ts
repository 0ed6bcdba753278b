import sharp from 'sharp';
import { encodeAnomalyMap } from '../../vision/anomaly-map/anomaly-map.ts';
import { say } from '../../vision/engine-messages.ts';
import { decodeImage, probeImage } from '../../vision/image/decode-image.ts';
import { unusableImage } from '../../vision/image/unusable-image.ts';
import { explainPlace, matchPatch } from '../../vision/inspection/explain-place.ts';
import { type Inspector, openInspector } from '../../vision/inspection/open-inspector.ts';
import { decodeModel } from '../../vision/model-file/model-file.ts';
import { compileSteps } from '../../vision/preprocess/compile-steps.ts';
import type { BackboneFile } from '../../vision/types.ts';
import { VisionError } from '../../vision/vision-error.ts';
import type { ComputeTask, SentVerdict, TaskOf, ToWorker } from './messages.ts';
import { collectRarely, followParent, tellParent } from './process-etiquette.ts';
import { toRemoteError } from './remote-error.ts';
import { renderAnomalyMap, renderHeatmap, renderPreview, renderThumbnail } from './render-image.ts';
// Most models need this file. It is loaded while the server starts instead of at the first model.
import '../../vision/algorithms/patchcore/model.ts';

// The entry of a compute process. It opens no file, database or connection. Everything comes by message.

/** Backbones and open models, by the hash of their bytes. */
const backbones = new Map<string, BackboneFile>();
const models = new Map<string, Promise<Inspector>>();
let lastPrediction: Promise<unknown> = Promise.resolve();

function getBackbone(hash: string): BackboneFile {
  const backbone = backbones.get(hash);
  if (!backbone) throw new Error(`The backbone ${hash} was not sent before the model.`);
  return backbone;
}

async function openModel(bytes: Uint8Array, backboneHash: string): Promise<Inspector> {
  const backbone = getBackbone(backboneHash);
  const { steps, references } = decodeModel(bytes).preprocessing;
  return await openInspector(bytes, backbone, await compileSteps(steps, new Map(Object.entries(references))));
}

/** @throws VisionError where the model can't be opened; it is forgotten then. */
async function getModel(hash: string): Promise<Inspector> {
  const model = models.get(hash);
  if (!model) throw new VisionError('invalid_model', say('model.not-open', { hash }));
  try {
    return await model;
  } catch (error) {
    models.delete(hash);
    throw error;
  }
}

async function closeModel(hash: string): Promise<void> {
  const model = models.get(hash);
  models.delete(hash);
  await (await model)?.dispose();
}

/** Runs predictions one after another: a model is open for one at a time. */
function predictInTurn(task: TaskOf<'predict'>): Promise<SentVerdict> {
  const verdict = lastPrediction.then(() => predict(task));
  lastPrediction = verdict.catch(() => {});
  return verdict;
}

async function predict({ model, image, options }: TaskOf<'predict'>): Promise<SentVerdict> {
  const inspector = await getModel(model);
  const { map: _, anomalyMap, ...verdict } = await inspector.inspect(image, { ...options, heatmap: false });
  return { ...verdict, anomalyMap: encodeAnomalyMap(anomalyMap) };
}

async function compute(task: ComputeTask): Promise<unknown> {
  switch (task.kind) {
    case 'predict':
      return await predictInTurn(task);
    case 'explain':
      return await explainPlace(task.modelFile, getBackbone(task.backbone), task.image, task.options);
    case 'match':
      return await matchPatch(getBackbone(task.backbone), task.images, task.asked);
    case 'heatmap':
      return await renderHeatmap(task);
    case 'anomaly-map':
      return await renderAnomalyMap(task);
    case 'probe':
      return await probeImage(task.image);
    case 'unusable':
      return unusableImage(await decodeImage(task.image));
    case 'thumbnail':
      return await renderThumbnail(task.image, task.size);
    case 'preview':
      return await renderPreview(task);
    case 'warm':
      await getModel(task.model);
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
  else if (message.type === 'backbone') backbones.set(message.hash, message.file);
  else if (message.type === 'close-model') closeModel(message.hash).catch(() => {});
  else {
    const opened = openModel(message.model, message.backboneHash);
    // The error is thrown to the task that asks for the model.
    opened.catch(() => {});
    models.set(message.hash, opened);
  }
}

followParent();
collectRarely();
// Parallel work runs in more processes instead.
sharp.concurrency(1);
sharp.cache(false);
process.on('message', (message) => receive(message as ToWorker));
await tellParent({ type: 'ready' });
