import { createHash } from 'node:crypto';
import { ConfigError, loadConfig } from '../../src/config.ts';
import { parseAddItemFields } from '../../src/domains/items/add-item-fields.ts';
import { parseUploadedName } from '../../src/domains/items/uploaded-name.ts';
import { AppError } from '../../src/errors.ts';
import { decodePatchcore, encodePatchcore } from '../../src/vision/algorithms/patchcore/codec.ts';
import { openBackbone } from '../../src/vision/features/open-backbone.ts';
import { decodeBmp } from '../../src/vision/image/decode-bmp.ts';
import { findImageFormat } from '../../src/vision/image/image-format.ts';
import { parseIgnoreOuter } from '../../src/vision/inspection/parse-ignore-outer.ts';
import { decodeModel, encodeModel } from '../../src/vision/model-file.ts';
import type { Random } from '../../src/vision/types.ts';
import { VisionError } from '../../src/vision/vision-error.ts';
import { tinyBackbone } from '../vision/tiny-backbone.ts';
import { mutate, mutateText } from './mutate.ts';

/** A parser of ours that is given what strangers may send. */
export interface FuzzTarget {
  readonly name: string;
  /** Feeds it one mutated input. Any error but those of `refusals` is a defect. */
  readonly feed: (random: Random) => unknown;
  /** How much slower than the others it is: it gets that many times fewer inputs. */
  readonly slowness: number;
}

/** How a parser says no. */
export const refusals = [VisionError, AppError, ConfigError];

const bmp = (bits: number, width: number, height: number): Uint8Array => {
  const colours = bits === 8 ? 256 : 0;
  const stride = Math.ceil((width * bits) / 32) * 4;
  const bytes = new Uint8Array(54 + colours * 4 + stride * height).fill(9);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  for (const [at, value] of [
    [10, 54 + colours * 4],
    [14, 40],
    [18, width],
    [22, height],
    [30, 0],
    [46, colours],
  ] as const)
    view.setUint32(at, value, true);
  view.setUint16(28, bits, true);
  return bytes;
};
const bitmaps = [bmp(24, 3, 2), bmp(8, 5, 3), bmp(32, 2, 2)];

const model = encodeModel({
  algorithmId: 'patchcore',
  algorithmVersion: '1',
  params: { image_size: 128 },
  backbone: { id: 'kensa', sha256: '0'.repeat(64) },
  preprocessing: { steps: [], references: { one: Uint8Array.from([1, 2, 3]) } },
  calibration: { rawThreshold: 1, goodScores: [0.5, 0.7], defectScores: [2] },
  payload: Uint8Array.from([5, 6, 7]),
} as Parameters<typeof encodeModel>[0]);

const bank = encodePatchcore({
  layout: { width: 128, height: 128 },
  projection: { rows: 2, columns: 2, data: Float32Array.from([1, 0, 0, 1]) },
  bank: { rows: 3, columns: 2, data: new Float32Array(6) },
  neighbours: 1,
  smoothing: 1,
} as unknown as Parameters<typeof encodePatchcore>[0]);

/** As a stranger would make it: defects behind a checksum that is right. */
function resealed(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 48) return bytes;
  bytes.set(createHash('sha256').update(bytes.subarray(48)).digest(), 16);
  return bytes;
}

const backbone = tinyBackbone();
const margins = ['none', '5%', '12px', '5% 10px', '1px 2px 3px 4px', '0.5%', '10px 5% 0 0'];
const names = ['bottle.png', 'part7/top.png', '../../etc/passwd', 'C:\\a\\b.png', '部品7/上面.png'];
const pick = <T>(values: readonly T[], random: Random): T => values[random.integer(values.length)] as T;

export const fuzzTargets: readonly FuzzTarget[] = [
  { name: 'image format', slowness: 1, feed: (random) => findImageFormat(mutate(pick(bitmaps, random), random)) },
  { name: 'BMP', slowness: 1, feed: (random) => decodeBmp(mutate(pick(bitmaps, random), random)) },
  { name: 'model file', slowness: 1, feed: (random) => decodeModel(mutate(model, random)) },
  { name: 'model file, sealed again', slowness: 2, feed: (random) => decodeModel(resealed(mutate(model, random))) },
  { name: 'memory bank, sealed again', slowness: 2, feed: (random) => decodePatchcore(resealed(mutate(bank, random))) },
  { name: 'margins', slowness: 1, feed: (random) => parseIgnoreOuter(mutateText(pick(margins, random), random)) },
  {
    name: 'names of uploaded files',
    slowness: 1,
    feed: (random) => {
      const { imageName, itemName } = parseUploadedName(mutateText(pick(names, random), random));
      if (/[\p{Cc}/\\]/u.test(imageName + itemName) || imageName === '' || itemName === '' || imageName === '..') {
        throw new Error(`a name that may mislead: ${JSON.stringify({ imageName, itemName })}`);
      }
    },
  },
  {
    name: 'fields of an upload',
    slowness: 1,
    feed: (random) =>
      parseAddItemFields({
        training: mutateText('true', random),
        good: mutateText('0', random),
        item_name: mutateText('part 7', random),
        [mutateText('model_id', random)]: mutateText('active', random),
      }),
  },
  {
    name: 'settings',
    slowness: 20,
    feed: (random) =>
      loadConfig({
        PORT: mutateText('8080', random),
        BLOB_URL: mutateText('s3+http://k:s@h/b', random),
        KENSA_WORKERS: mutateText('2', random),
      }),
  },
  {
    name: 'ONNX network',
    slowness: 1000,
    feed: async (random) => (await openBackbone({ ...backbone, onnx: mutate(backbone.onnx, random) })).dispose(),
  },
];
