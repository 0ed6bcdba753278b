import { createBackboneCatalogue } from '../../src/domains/algorithms/backbone-catalogue.ts';
import { patchcore } from '../../src/vision/algorithms/catalogue.ts';
import { parseParameterValues } from '../../src/vision/algorithms/contract/parameter-values.ts';
import { decodeImage } from '../../src/vision/image/decode-image.ts';
import { type Inspector, openInspector, prepareNothing } from '../../src/vision/inspection/open-inspector.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { encodeModel } from '../../src/vision/model-file/model-file.ts';
import { trainModel } from '../../src/vision/training/train-model.ts';
import type { BackboneFile } from '../../src/vision/types.ts';

export interface TrainedInspector {
  readonly backbone: BackboneFile;
  readonly modelFile: Uint8Array;
  /** Encoded state of PatchCore. */
  readonly payload: Uint8Array;
  readonly inspector: Inspector;
}

/** Trains PatchCore with its defaults on the images and opens it with a clock. */
export async function trainInspector(images: readonly Uint8Array[], backboneId: string): Promise<TrainedInspector> {
  const backbone = await createBackboneCatalogue(undefined).getBackbone(backboneId);
  const parsed = parseParameterValues(patchcore, []);
  if ('issues' in parsed) throw new Error('the defaults of patchcore are not valid');
  const model = await trainModel({
    algorithm: patchcore,
    samples: images.map((bytes, index) => ({
      itemId: String(index),
      name: String(index),
      good: true,
      regions: [],
      load: async () => prepareNothing(await decodeImage(bytes)),
    })),
    params: parsed.values,
    random: createRandom(1),
    backbone,
    signal: new AbortController().signal,
    report: () => {},
  });
  const modelFile = encodeModel(model);
  const inspector = await openInspector(modelFile, backbone, undefined, () => performance.now());
  return { backbone, modelFile, payload: model.payload, inspector };
}
