import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logFileNames, openRotatingLog } from './rotating-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kensa-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('starts a new file before one grows too large and keeps five', () => {
  const log = openRotatingLog(folder, 25);
  for (let line = 1; line <= 13; line++) log.write(`{"line":${line}}\n`.padStart(12));
  log.close();
  expect(readdirSync(folder).sort()).toEqual([...logFileNames].sort());
  const lines = logFileNames.map((name) => readFileSync(join(folder, name), 'utf8').match(/\d+/g));
  expect(lines).toEqual([['13'], ['11', '12'], ['9', '10'], ['7', '8'], ['5', '6']]);
});

it('goes on with the file of the run before', () => {
  for (const run of [1, 2]) {
    const log = openRotatingLog(folder);
    log.write(`{"run":${run}}\n`);
    log.close();
  }
  expect(readFileSync(join(folder, 'kensa.log'), 'utf8')).toBe('{"run":1}\n{"run":2}\n');
});
