import { uuidv7 } from 'uuidv7';
import { AppError, messageOf } from '../../errors.ts';
import type { ComputePool } from '../../jobs/compute/compute-pool.ts';
import type { ModelSource } from '../../jobs/compute/compute-worker.ts';
import { type Message, say, storeMessages } from '../../messages/message.ts';
import type { BlobHash, BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Db, Trx } from '../../storage/database.ts';
import type { BackboneDescription } from '../../vision/types.ts';
import { VisionError } from '../../vision/vision-error.ts';
import { getAlgorithm } from '../algorithms/algorithms.service.ts';
import type { AuditService } from '../audit/audit.service.ts';
import { untrainedModel } from '../models/model-view.ts';
import type { ModelView } from '../models/models.schemas.ts';
import { checkIgnoreOuter, type ModelsService } from '../models/models.service.ts';
import type { TargetsService } from '../targets/targets.service.ts';
import { goldenScore } from './export-models.ts';
import { type ExportedModelEntry, listFiles } from './manifest.ts';
import { type Archive, importRefused, openArchive } from './open-archive.ts';

interface Dependencies {
  readonly db: Db;
  readonly audit: AuditService;
  readonly models: ModelsService;
  readonly targets: TargetsService;
  readonly blobs: BlobStore;
  readonly pool: ComputePool;
}

const hashOf = (path: string): BlobHash => path.slice('files/'.length);

/**
 * Takes over exported models, all or none. A model keeps its id where that is free here, so that references to it stay
 * valid. It arrives ready and not active, with the next version of its algorithm and target.
 * @throws AppError `import-refused`, with nothing changed.
 */
export async function importModels(dependencies: Dependencies, zipPath: string): Promise<ModelView[]> {
  const archive = await openArchive(zipPath);
  try {
    const entries = archive.manifest.models;
    for (const entry of entries) await checkModel(dependencies.pool, archive, entry);
    for (const path of listFiles(entries)) await dependencies.blobs.put(await archive.read(path));
    const { targetId } = await dependencies.targets.getTrainingSteps();
    const ids = await dependencies.db.transaction().execute(async (trx) => {
      const imported: string[] = [];
      for (const entry of entries) imported.push(await insertModel(dependencies.models, trx, entry, targetId));
      const targets = imported.map((id, index) => ({ id, details: { name: entries[index]?.name } }));
      await dependencies.audit.record(trx, 'model.import', targets);
      return imported;
    });
    return Promise.all(ids.map((id) => dependencies.models.getModelView(id)));
  } finally {
    archive.close();
  }
}

/** Computes the golden scores again: a model that gives other scores here than there must not inspect products. */
async function checkModel(pool: ComputePool, archive: Archive, entry: ExportedModelEntry): Promise<void> {
  const refuse = (reason: Message, cause?: unknown) =>
    importRefused(say('import.model', { name: entry.name, reason }), cause);
  try {
    getAlgorithm(entry.algorithm_id);
    checkIgnoreOuter(entry.predict_parameters.ignore_outer);
  } catch (error) {
    throw refuse(messageOf(error), error);
  }
  const { file, backbone } = entry;
  const source: ModelSource = {
    hash: hashOf(file),
    load: () => archive.read(file),
    backbone: {
      id: backbone.id,
      hash: hashOf(backbone.file),
      description: backbone.description as BackboneDescription,
      load: () => archive.read(backbone.file),
    },
  };
  for (const golden of entry.golden) {
    const score = await goldenScore(pool, source, await archive.read(golden.file)).catch((error: Error) => {
      const atFault = error instanceof VisionError || (error instanceof AppError && error.code === 'compute-failed');
      throw atFault ? refuse(messageOf(error), error) : error;
    });
    if (score !== golden.anomaly_score) {
      throw refuse(say('import.other-score', { here: score, there: golden.anomaly_score }));
    }
  }
}

async function insertModel(
  models: ModelsService,
  trx: Trx,
  entry: ExportedModelEntry,
  targetId: number,
): Promise<string> {
  const { params, steps, references, calibration, predict_parameters, file, backbone, picture, golden, ...same } =
    entry;
  const isTaken = (await models.findModel(entry.model_id, trx)) !== undefined;
  const blobs = Object.fromEntries(Object.entries(references).map(([key, path]) => [key, hashOf(path)]));
  const row = {
    ...untrainedModel,
    ...same,
    ...predict_parameters,
    model_id: isTaken ? uuidv7() : entry.model_id,
    algorithm_type: getAlgorithm(entry.algorithm_id).type,
    version: await models.nextVersion(trx, entry.algorithm_id, targetId),
    context_id: targetId,
    status: 'ready' as const,
    status_text: storeMessages([say('status.imported')]),
    params: JSON.stringify(params),
    steps: JSON.stringify(steps),
    step_references: JSON.stringify(blobs),
    image_blob: picture === null ? null : hashOf(picture),
    calibration: JSON.stringify(calibration),
    model_blob: hashOf(file),
    backbone_id: backbone.id,
    backbone_blob: hashOf(backbone.file),
    backbone_description: JSON.stringify(backbone.description),
    refinement: null,
    updated_at: new Date().toISOString(),
  };
  await models.insertModel(trx, row, []);
  return row.model_id;
}
