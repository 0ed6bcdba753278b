import { describeSettings } from '../../src/config.ts';
import { algorithms } from '../../src/vision/algorithms/catalogue.ts';
import { steps } from '../../src/vision/preprocess/steps.ts';

/** What stands in Japanese texts in its own notation: formats, units, products, commands, fields and their values. */
const notation = new Set([
  ...'JPEG PNG WebP TIFF BMP RGB CLAHE ONNX JSON HTTP HTTPS URL URI NUL SHA Ed25519 ID Kensa kensa-int8'.split(' '),
  ...'KiB MiB MB px OK NG multipart form-data zip float32 uint8 SHA-256 true false null none'.split(' '),
  ...'kensa doctor license install client list add docs NAME onnx http https plc local'.split(' '),
  ...'POST GET api auth token v1 utils Authorization Bearer ACCESS_TOKEN Content-Type application json'.split(' '),
  ...'item_id item_ids model_id client_id client_secret target_id algorithm_id files training good ready'.split(' '),
  ...'is_training_data active update_predict_callback image config status patchcore public area'.split(' '),
  ...'ignore_outer min_detected_area threshold width height expand channels image_size'.split(' '),
  ...'PUT stations station_id model enabled mix_targets'.split(' '),
  ...'MQTT Modbus FTP MJPEG v4l2 dev video0 video ffmpeg apt-get ftp source after keep recipe path url'.split(' '),
  ...'admin X-Reason retention_id hold_id filter Webhook PIN item_type prediction next'.split(' '),
  ...describeSettings().map(({ name }) => name),
  ...steps.map(({ name }) => name),
  ...algorithms.flatMap(({ id, parameters }) => [id, ...parameters.map(({ name }) => name)]),
]);

/** English words in a Japanese text. Fields, units and product names do not count, and neither does what `sent` holds. */
export function englishWords(text: string, sent = ''): string[] {
  const words = Array.from(text.matchAll(/(?<![\w-])[A-Za-z][\w-]+/g), ([word]) => word);
  return words.filter((word) => !notation.has(word) && !sent.includes(word));
}
