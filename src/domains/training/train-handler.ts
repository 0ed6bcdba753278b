import { say } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ParameterValues, PreprocessingStep } from '../../vision/types.ts';
import type { BackboneCatalogue } from '../algorithms/backbone-catalogue.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import { judgedLimit, type MakeModel, samplesOf } from './make-model.ts';

/** Trains a model on its items. */
export function createTrainer(dependencies: {
  items: ItemsService;
  models: ModelsService;
  backbones: BackboneCatalogue;
  blobs: BlobStore;
}): MakeModel {
  const { items, models, backbones, blobs } = dependencies;
  return async (model, compute) => {
    const params = JSON.parse(model.params) as ParameterValues;
    const wanted = String(params['backbone'] ?? 'kensa');
    const backbone = await backbones.getBackbone(wanted);
    const details = await items.findDetails(await models.listTrainingItemIds(model.model_id));
    // The order of arrival, so that the same items give the same model whatever order they were named in.
    const samples = samplesOf(details.sort((one, other) => one.item.seq - other.item.seq));
    const references: Record<string, Uint8Array> = {};
    for (const [key, blob] of Object.entries(JSON.parse(model.step_references) as Record<string, string>)) {
      references[key] = await blobs.get(blob);
    }
    const outcome = await compute({
      kind: 'train',
      algorithmId: model.algorithm_id,
      parameterValues: params,
      steps: JSON.parse(model.steps) as PreprocessingStep[],
      references,
      samples,
      backbone,
      seed: model.seed,
    });
    const good = samples.filter((sample) => sample.good);
    return {
      outcome,
      // The network that `auto` stood for stays the model's network, here and on any other machine.
      remarks: wanted === 'auto' ? [say('status.network', { network: backbone.id })] : [],
      columns: {
        image_blob: good[0]?.content ?? null,
        ok_img_count: good.length,
        ng_img_count: samples.length - good.length,
        backbone_id: backbone.id,
        backbone_blob: await blobs.put(backbone.onnx),
        backbone_description: JSON.stringify(backbone.description),
      },
      inspects: await items.listJudgedIds(model.context_id, judgedLimit),
    };
  };
}
