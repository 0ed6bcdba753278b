import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isLeaving, scanFolder } from './watched-folder.ts';

const root = await mkdtemp(join(tmpdir(), 'kensa-folder-'));
afterAll(() => rm(root, { recursive: true }));

it('tells a file on its way out from one that is gone, until a scan gives it its name again', async () => {
  await mkdir(join(root, 'a'));
  await writeFile(join(root, 'a', '.leaving-0199aaaa-0000-7000-8000-000000000001-0001.png'), 'image');
  expect(await isLeaving(root, 'a/0001.png')).toBe(true);
  expect(await isLeaving(root, 'a/001.png')).toBe(false);
  expect(await isLeaving(root, '0001.png')).toBe(false);
  expect(await isLeaving(root, 'gone/0001.png')).toBe(false);
  await scanFolder(root);
  expect(await isLeaving(root, 'a/0001.png')).toBe(false);
});
