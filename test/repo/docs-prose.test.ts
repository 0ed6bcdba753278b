import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const LONGEST_LINE = 120;
const LONGEST_DECISION = 60;

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  // Reports that benchmarks write, and the interface as it was given to us.
  .filter((file) => file !== '' && !/^(bench\/results|test)\//.test(file) && existsSync(join(root, file)));

/** Lines of running text: no tables, code, pictures or generated examples. */
function proseOf(text: string): { line: string; number: number }[] {
  let inCode = false;
  let isGenerated = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) inCode = !inCode;
    if (line.includes('examples:begin')) isGenerated = true;
    if (line.includes('examples:end')) isGenerated = false;
    return inCode || isGenerated || /^(\||!\[|```)/.test(line) ? [] : [{ line, number: index + 1 }];
  });
}

it(`prose is wrapped at ${LONGEST_LINE} columns`, () => {
  const long = pages.flatMap((page) =>
    proseOf(readFileSync(join(root, page), 'utf8'))
      .filter(({ line }) => line.length > LONGEST_LINE)
      .map(({ line, number }) => `${page}:${number} has ${line.length} columns`),
  );
  expect(long).toEqual([]);
});

describe.each(pages.filter((page) => page.startsWith('docs/decisions/')))('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  it('has a question, a decision, the one table that decided it, and consequences', () => {
    const parts = [/^# /, /^\*\*Question\.\*\*/m, /^\*\*Decision\.\*\*/m, /^\|---/m, /Consequences/];
    expect(parts.filter((part) => !part.test(text)).map(String)).toEqual([]);
    expect(text.match(/^\|---/gm), 'tables').toHaveLength(1);
  });

  it(`has at most ${LONGEST_DECISION} lines`, () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(LONGEST_DECISION);
  });
});
