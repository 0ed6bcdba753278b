import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heatmapPaths } from './commands/predict.ts';
import { findImageFiles } from './image-files.ts';

describe('images below paths', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kensa-image-files-'));
    for (const kind of ['good', 'scratch']) await mkdir(join(directory, kind));
    for (const name of ['good/1.jpg', 'scratch/1.jpg', 'scratch/1.png', 'scratch/notes.txt'])
      await writeFile(join(directory, name), '');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('are found in a stable order, files as they were named', async () => {
    const single = join(directory, 'scratch', 'notes.txt');
    const found = (await findImageFiles([directory, single])).map(({ path }) => path);
    expect(found).toEqual([...['good/1.jpg', 'scratch/1.jpg', 'scratch/1.png'].map((n) => join(directory, n)), single]);
  });

  it('have a heatmap each, in the same subfolder, that no other one overwrites', async () => {
    const found = await findImageFiles([directory, join(directory, 'good', '1.jpg'), join(directory, 'scratch')]);
    expect(heatmapPaths(found)).toEqual([
      ...['good/1_heatmap.jpg', 'scratch/1_heatmap.jpg', 'scratch/1-2_heatmap.jpg'],
      ...['1_heatmap.jpg', '1-2_heatmap.jpg', '1-3_heatmap.jpg'],
    ]);
  });

  it('are refused where a path is missing', async () => {
    await expect(findImageFiles([join(directory, 'none')])).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
