import { readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BackboneDescription, BackboneFile } from '../vision/types.ts';

const OWN_FOLDER = fileURLToPath(new URL('../../assets/backbones/', import.meta.url));

/**
 * The network `kensa` that comes with the product, or a file of the user's folder, with the description beside it.
 * @param id `kensa`, or the name of an ONNX file under `folder`
 * @throws Error where a file is missing
 */
export async function readBackbone(id: string, folder?: string): Promise<BackboneFile> {
  const own = id === 'kensa';
  const directory = own ? OWN_FOLDER : folder;
  const { name, base } = parse(id);
  if (!directory || base !== id)
    throw new Error(`Backbone ${id} is not known; it must be kensa, or a file name inside the folder of backbones.`);
  const onnx = await readFile(join(directory, `${name}.onnx`));
  const description = JSON.parse(await readFile(join(directory, `${name}.json`), 'utf8')) as BackboneDescription;
  return { id, onnx, description };
}
