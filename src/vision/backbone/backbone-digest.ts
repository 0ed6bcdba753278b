import { createHash } from 'node:crypto';
import type { BackboneFile } from '../types.ts';

/** SHA-256 of the network and its description, in hexadecimal: a model only runs on the network it was trained with. */
export function backboneDigest({ onnx, description }: BackboneFile): string {
  const { input, outputs, mean, std } = description;
  return createHash('sha256')
    .update(onnx)
    .update(JSON.stringify([input, outputs, mean, std]))
    .digest('hex');
}
