import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { AppError, fieldError } from '../../errors.ts';
import type { ComputePool } from '../../jobs/compute/compute-pool.ts';
import type { ModelSource } from '../../jobs/compute/compute-worker.ts';
import { say } from '../../messages/message.ts';
import { nameOfStatus } from '../../messages/value-names.ts';
import type { BlobHash, BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ModelRow } from '../../storage/database.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import { sourceOf } from '../prediction/model-source.ts';
import { type ExportedModelEntry, formatName, formatVersion, listFiles, manifestName } from './manifest.ts';

interface Dependencies {
  readonly models: ModelsService;
  readonly items: ItemsService;
  readonly blobs: BlobStore;
  readonly pool: ComputePool;
  readonly version: string;
}

const GOLDEN_IMAGES = 3;

const pathOf = (hash: BlobHash): string => `files/${hash}`;
const hashOf = (path: string): BlobHash => path.slice('files/'.length);

/**
 * A zip of the models with all that they need elsewhere, streamed: one file at a time is in memory.
 * @throws AppError `model-not-found`, `model-not-ready`.
 */
export async function exportModels(
  dependencies: Dependencies,
  modelIds: readonly string[],
): Promise<NodeJS.ReadableStream> {
  const { models, blobs } = dependencies;
  const ids = await models.resolveModelIds(modelIds);
  if (ids.length === 0) throw fieldError('invalid-request', 'model_ids', say('field.empty'));
  const entries: ExportedModelEntry[] = [];
  for (const id of ids) entries.push(await describeModel(dependencies, await models.requireModel(id)));
  const files: Record<string, { sha256: string; size: number }> = {};
  for (const path of listFiles(entries)) {
    files[path] = { sha256: hashOf(path), size: (await blobs.get(hashOf(path))).length };
  }
  const manifest = {
    format: formatName,
    format_version: formatVersion,
    kensa_version: dependencies.version,
    created_at: new Date().toISOString(),
    files,
    models: entries,
  };
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), manifestName);
  for (const path of Object.keys(files)) {
    zip.addReadStreamLazy(path, { compress: false }, (done) => {
      blobs.get(hashOf(path)).then(
        (bytes) => done(null, Readable.from([bytes])),
        (error: Error) => done(error, Readable.from([])),
      );
    });
  }
  zip.end();
  zip.on('error', (error: Error) => (zip.outputStream as Readable).destroy(error));
  return zip.outputStream;
}

/** The score of an image at the settings that training gave the model, in six decimals. */
export async function goldenScore(pool: ComputePool, model: ModelSource, image: Uint8Array): Promise<string> {
  const options = { threshold: 0.5, ignoreOuter: 'none', minDetectedArea: 0 };
  return (await pool.predict({ model, image, options })).anomalyScore.toFixed(6);
}

async function describeModel(dependencies: Dependencies, model: ModelRow): Promise<ExportedModelEntry> {
  if (model.status !== 'ready') {
    const remedy = say('model.only-ready');
    throw new AppError('model-not-ready', { id: model.model_id, status: nameOfStatus(model.status), remedy });
  }
  const source = sourceOf(model, dependencies.blobs);
  const golden: ExportedModelEntry['golden'] = [];
  for (const blob of await chooseGoldenImages(dependencies, model)) {
    const image = await dependencies.blobs.get(blob);
    golden.push({ file: pathOf(blob), anomaly_score: await goldenScore(dependencies.pool, source, image) });
  }
  const references = JSON.parse(model.step_references) as Record<string, BlobHash>;
  return {
    model_id: model.model_id,
    name: model.name,
    algorithm_id: model.algorithm_id,
    version: model.version,
    created_at: model.created_at,
    params: JSON.parse(model.params),
    steps: JSON.parse(model.steps),
    references: Object.fromEntries(Object.entries(references).map(([key, hash]) => [key, pathOf(hash)])),
    seed: model.seed,
    ok_img_count: model.ok_img_count,
    ng_img_count: model.ng_img_count,
    training_time: model.training_time,
    accuracy: model.accuracy,
    precision: model.precision,
    recall: model.recall,
    calibration: JSON.parse(model.calibration ?? '{}'),
    predict_parameters: {
      threshold: model.threshold,
      ignore_outer: model.ignore_outer,
      min_detected_area: model.min_detected_area,
    },
    file: pathOf(source.hash),
    backbone: {
      id: source.backbone.id,
      file: pathOf(source.backbone.hash),
      description: JSON.parse(model.backbone_description ?? '{}'),
    },
    picture: model.image_blob === null ? null : pathOf(model.image_blob),
    golden,
  };
}

/** The first good item, the last one, and one that is NG; the model's own picture where its items are deleted. */
async function chooseGoldenImages({ items, models }: Dependencies, model: ModelRow): Promise<BlobHash[]> {
  const rows = await items.findItems(await models.listTrainingItemIds(model.model_id));
  const ordered = rows.sort((one, other) => one.seq - other.seq);
  const good = ordered.filter((item) => item.user_result === 'OK');
  const defective = ordered.find((item) => item.user_result === 'NG');
  const chosen = [good[0], defective, good.at(-1)].flatMap((item) => item?.item_id ?? []);
  const details = await items.findDetails([...new Set(chosen)]);
  const blobs = details.flatMap(({ images }) => images[0]?.blob ?? []);
  return [...new Set([...blobs, ...(model.image_blob === null ? [] : [model.image_blob])])].slice(0, GOLDEN_IMAGES);
}
