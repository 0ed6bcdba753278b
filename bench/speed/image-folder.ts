import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { encodeJpeg, renderDemoSet } from '../../src/demo/demo-product.ts';
import { getDemoProduct } from '../../test/support/demo-images.ts';

export interface ImageFolder {
  readonly product: string;
  readonly side: number;
  readonly training: number;
  readonly testGood: number;
  readonly testDefect: number;
}

/** Another number when the demo products are drawn differently. */
const PICTURES = 2;
const SEED = 20;
/** So many pictures are drawn. Further ones are cut out of them, each at another place. */
const DRAWN = 60;
const SHIFT = 24;

/** JPEG images of a demo product in the layout of `kensa evaluate`, drawn once and kept in the system's temporary folder. */
export async function openImageFolder({ product, side, training, testGood, testDefect }: ImageFolder): Promise<string> {
  const name = `kensa-bench-${PICTURES}-${product}-${side}-${training}-${testGood}-${testDefect}`;
  const folder = join(tmpdir(), name);
  if (existsSync(folder)) return folder;
  const half = `${folder}.${process.pid}`;
  const drawn = Math.min(training, DRAWN);
  const margin = training > DRAWN ? SHIFT : 0;
  const size = { width: side + margin, height: side + margin };
  const set = renderDemoSet(getDemoProduct(product), SEED, { good: drawn, testGood, testDefect }, size);
  await mkdir(join(half, 'train', 'good'), { recursive: true });
  const cut = (jpeg: Buffer, left: number, top: number): Promise<Buffer> =>
    sharp(jpeg).extract({ left, top, width: side, height: side }).jpeg({ quality: 92 }).toBuffer();
  const images: Buffer[] = [];
  for (const sample of set.training) images.push(await encodeJpeg(await sample.render()));
  for (let index = 0; index < training; index++) {
    const image = images[index % drawn];
    const turn = Math.floor(index / drawn);
    if (!image) break;
    const bytes = margin === 0 ? image : await cut(image, (turn * 7) % SHIFT, (turn * 5) % SHIFT);
    await writeFile(join(half, 'train', 'good', `${String(index).padStart(5, '0')}.jpg`), bytes);
  }
  for (const sample of set.test) {
    const kind = join(half, 'test', sample.defect ?? 'good');
    await mkdir(kind, { recursive: true });
    const jpeg = await encodeJpeg(await sample.render());
    await writeFile(join(kind, `${sample.name}.jpg`), margin === 0 ? jpeg : await cut(jpeg, 0, 0));
  }
  await rename(half, folder);
  return folder;
}

export const readImages = (paths: readonly string[]): Promise<Buffer[]> =>
  Promise.all(paths.map((path) => readFile(path)));
