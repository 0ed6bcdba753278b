import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generateFiles } from '../../scripts/generate.ts';

it('holds what "npm run generate" makes of the code', async () => {
  for (const [path, content] of await generateFiles()) {
    const committed = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(committed === content, `${path} is not up to date: run "npm run generate"`).toBe(true);
  }
});
