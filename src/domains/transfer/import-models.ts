import { uuidv7 } from 'uuidv7';
import { AppError, messageOf } from '../../errors.ts';
import type { ModelSource } from '../../jobs/compute/compute-worker.ts';
import { type Message, say, storeMessages } from '../../messages/message.ts';
import type { BlobHash, BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Db, ModelRow, Trx } from '../../storage/database.ts';
import type { BackboneDescription } from '../../vision/types.ts';
import { VisionError } from '../../vision/vision-error.ts';
import type { AlgorithmsService } from '../algorithms/algorithms.service.ts';
import type { ModelView } from '../models/models.schemas.ts';
import { checkIgnoreOuter, type ModelsService } from '../models/models.service.ts';
import type { TargetsService } from '../targets/targets.service.ts';
import { type ArchiveReader, importRefused, openArchive } from './archive-reader.ts';
import type { ComputeGoldenScore } from './golden-scores.ts';
import { type ExportedModelEntry, listFiles } from './manifest.ts';

interface Parts {
  readonly db: Db;
  readonly models: ModelsService;
  readonly algorithms: AlgorithmsService;
  readonly targets: TargetsService;
  readonly blobs: BlobStore;
  readonly goldenScore: ComputeGoldenScore;
}

const hashOf = (path: string): BlobHash => path.slice('files/'.length);

/**
 * Takes over exported models, all of them or none. A model keeps its id where that is free here, so that whoever
 * refers to it finds it again; it arrives ready and not active, with the next version of its algorithm and target.
 * @throws AppError `import-refused`, with nothing changed.
 */
export async function importModels(parts: Parts, zipPath: string): Promise<ModelView[]> {
  const archive = await openArchive(zipPath);
  try {
    for (const entry of archive.manifest.models) await checkModel(parts, archive, entry);
    for (const path of listFiles(archive.manifest.models)) await parts.blobs.put(await archive.read(path));
    const { targetId } = await parts.targets.getTrainingSteps();
    const ids = await parts.db.transaction().execute(async (trx) => {
      const imported: string[] = [];
      for (const entry of archive.manifest.models) imported.push(await insertModel(parts, trx, entry, targetId));
      return imported;
    });
    return Promise.all(ids.map((id) => parts.models.getModelView(id)));
  } finally {
    archive.close();
  }
}

/** Computes the golden scores again: a model that gives other scores here than there must not judge products. */
async function checkModel(parts: Parts, archive: ArchiveReader, entry: ExportedModelEntry): Promise<void> {
  const refuse = (reason: Message, cause?: unknown) =>
    importRefused(say('import.model', { name: entry.name, reason }), cause);
  try {
    parts.algorithms.getAlgorithm(entry.algorithm_id);
    checkIgnoreOuter(entry.predict_parameters.ignore_outer);
  } catch (error) {
    throw refuse(messageOf(error), error);
  }
  const source = toSource(archive, entry);
  for (const golden of entry.golden) {
    const score = await parts.goldenScore(source, await archive.read(golden.file)).catch((error: Error) => {
      const atFault = error instanceof VisionError || (error instanceof AppError && error.code === 'compute-failed');
      throw atFault ? refuse(messageOf(error), error) : error;
    });
    if (score !== golden.anomaly_score) {
      throw refuse(say('import.other-score', { here: score, there: golden.anomaly_score }));
    }
  }
}

function toSource(archive: ArchiveReader, { file, backbone }: ExportedModelEntry): ModelSource {
  return {
    hash: hashOf(file),
    load: () => archive.read(file),
    backbone: {
      id: backbone.id,
      hash: hashOf(backbone.file),
      description: backbone.description as BackboneDescription,
      load: () => archive.read(backbone.file),
    },
  };
}

async function insertModel(parts: Parts, trx: Trx, entry: ExportedModelEntry, targetId: number): Promise<string> {
  const { models, algorithms } = parts;
  const isTaken = (await models.findModel(entry.model_id, trx)) !== undefined;
  const references = Object.entries(entry.references).map(([key, path]) => [key, hashOf(path)]);
  const row: Omit<ModelRow, 'seq'> = {
    model_id: isTaken ? uuidv7() : entry.model_id,
    name: entry.name,
    algorithm_id: entry.algorithm_id,
    algorithm_type: algorithms.getAlgorithm(entry.algorithm_id).type,
    version: await models.nextVersion(trx, entry.algorithm_id, targetId),
    context_id: targetId,
    status: 'ready',
    status_text: storeMessages([say('status.imported')]),
    active: 0,
    params: JSON.stringify(entry.params),
    steps: JSON.stringify(entry.steps),
    step_references: JSON.stringify(Object.fromEntries(references)),
    seed: entry.seed,
    image_blob: entry.picture === null ? null : hashOf(entry.picture),
    ok_img_count: entry.ok_img_count,
    ng_img_count: entry.ng_img_count,
    training_time: entry.training_time,
    accuracy: entry.accuracy,
    precision: entry.precision,
    recall: entry.recall,
    calibration: JSON.stringify(entry.calibration),
    model_blob: hashOf(entry.file),
    backbone_id: entry.backbone.id,
    backbone_blob: hashOf(entry.backbone.file),
    backbone_description: JSON.stringify(entry.backbone.description),
    ...entry.predict_parameters,
    refinement: null,
    callback_url: null,
    callback_method: null,
    created_at: entry.created_at,
    updated_at: new Date().toISOString(),
  };
  await models.insertModel(trx, row, []);
  return row.model_id;
}
