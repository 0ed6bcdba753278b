// Patch features of pictures as the product computes them. Standard input: pictures of SIDE × SIDE × 3 bytes. Standard
// output: for each one three int32 (rows, columns, dims) and the features in float32.
// npx tsx features.ts SIDE MODEL: the projection of the features is that of the model file, made by `kensa train`.
import { readFileSync } from 'node:fs';
import { decodePatchcore } from '../../src/vision/algorithms/patchcore/model.ts';
import { openPatchExtractor } from '../../src/vision/backbone/patch-extractor.ts';
import { createBackboneCatalogue } from '../../src/domains/algorithms/backbone-catalogue.ts';
import { decodeModel } from '../../src/vision/model-file/model-file.ts';

const side = Number(process.argv[2]);
const { payload } = decodeModel(readFileSync(process.argv[3] ?? ''));
const { projection } = decodePatchcore(payload);
const backbone = await createBackboneCatalogue(undefined).getBackbone('kensa-int8');
const layout = { canvasWidth: side, canvasHeight: side, tileWidth: side, tileHeight: side, pooling: 2 };
const extractor = await openPatchExtractor(backbone, layout, projection);
let waiting = Buffer.alloc(0);
for await (const chunk of process.stdin) {
  waiting = Buffer.concat([waiting, chunk as Buffer]);
  for (const size = side * side * 3; waiting.length >= size; waiting = waiting.subarray(size)) {
    const picture = { width: side, height: side, data: new Uint8Array(waiting.subarray(0, size)) };
    const { rows, columns, patches } = await extractor.extract(picture);
    process.stdout.write(new Uint8Array(Int32Array.of(rows, columns, patches.columns).buffer));
    process.stdout.write(new Uint8Array(Float32Array.from(patches.data).buffer));
  }
}
