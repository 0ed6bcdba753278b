import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { webPage } from './web-page.ts';

it('lets browsers keep the files of a release for good, and never that one is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kensa-web-page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'items-1a2b.js'), 'export {};');
  const app = Fastify();
  await app.register(webPage(folder));
  const cacheControl = async (url: string) => {
    const { statusCode, headers } = await app.inject(url);
    return [statusCode, headers['cache-control']];
  };
  expect(await cacheControl('/assets/items-1a2b.js')).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(await cacheControl('/assets/items-9z9z.js')).toEqual([404, undefined]);
  expect(await cacheControl('/models')).toEqual([200, 'no-cache']);
  await app.close();
  rmSync(folder, { recursive: true });
});
