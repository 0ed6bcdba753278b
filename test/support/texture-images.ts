import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { createRandom } from '../../src/vision/math/random.ts';
import type { BackboneFile } from '../../src/vision/types.ts';

/** PNG of a grainy surface, another one for each seed; with a bright spot where a defect is wanted. */
export async function textureImage(seed: number, { size = 96, defect = false } = {}): Promise<Uint8Array> {
  const random = createRandom(seed);
  const data = new Uint8Array(size * size * 3);
  for (let pixel = 0; pixel < size * size; pixel++) {
    const [x, y] = [pixel % size, Math.floor(pixel / size)];
    const spot = defect && Math.hypot(x - size / 2, y - size / 2) < size / 8;
    const grey = spot ? 250 : 110 + 30 * Math.sin(x / 5) + 15 * random.next();
    data.fill(grey, pixel * 3, pixel * 3 + 3);
  }
  return sharp(data, { raw: { width: size, height: size, channels: 3 } })
    .png()
    .toBuffer();
}

/** The network that Kensa brings along. */
export async function loadOwnBackbone(): Promise<BackboneFile> {
  const folder = new URL('../../assets/backbones/', import.meta.url);
  const description = JSON.parse(await readFile(new URL('kensa.json', folder), 'utf8')) as BackboneFile['description'];
  return { id: 'kensa', onnx: await readFile(new URL('kensa.onnx', folder)), description };
}
