import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { hasProgram } from '../support/find-program.ts';
import { type Exchange, walkThroughApi } from './api-walkthrough.ts';
import { renderExamples } from './render-examples.ts';

const file = new URL('../../docs/api.md', import.meta.url);
const marked = /(<!-- examples:begin -->\n)[\s\S]*?(<!-- examples:end -->)/;
let exchanges: Exchange[];
let served: Record<string, unknown>;

// One operation has a camera take an image.
const canRun = hasProgram('ffmpeg');
beforeAll(async () => {
  if (!canRun) return;
  ({ exchanges, served } = await walkThroughApi());
});

it.skipIf(!canRun)('asks every operation that is served, each with success', () => {
  const asked = new Set(exchanges.map(({ method, template }) => `${method} ${template}`));
  const operations = Object.entries(served['paths'] as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const missing = operations.filter((operation) => !asked.has(operation));
  expect(missing, 'add these to test/contract/api-walkthrough.ts').toEqual([]);
  const failed = exchanges.filter(({ answer }) => answer.status >= 400);
  expect(failed.map(({ method, path, answer }) => `${method} ${path}: ${JSON.stringify(answer.body)}`)).toEqual([]);
});

it.skipIf(!canRun)('docs/api.md shows these requests and answers', () => {
  const page = readFileSync(file, 'utf8');
  const examples = renderExamples(exchanges, served);
  const renewed = page.replace(marked, (_, begin: string, end: string) => `${begin}\n${examples}\n${end}`);
  if (process.env['KENSA_WRITE_DOCS'] === '1') writeFileSync(file, renewed);
  else expect(renewed === page, 'docs/api.md is not up to date: run "npm run generate:examples"').toBe(true);
});
