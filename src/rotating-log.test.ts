import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRotatingLog, rotatedLogFiles } from './rotating-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kensa-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('starts a new file before one grows too large and keeps so many', () => {
  const log = openRotatingLog(folder, { maxBytes: 25, keep: 3 });
  for (let line = 1; line <= 9; line++) log.write(`{"line":${line}}\n`);
  log.close();
  expect(readdirSync(folder).sort()).toEqual(rotatedLogFiles(3).sort());
  expect(readFileSync(join(folder, 'kensa.log'), 'utf8')).toBe('{"line":9}\n');
  expect(readFileSync(join(folder, 'kensa.1.log'), 'utf8')).toBe('{"line":7}\n{"line":8}\n');
  expect(readFileSync(join(folder, 'kensa.2.log'), 'utf8')).toBe('{"line":5}\n{"line":6}\n');
});

it('goes on with the file of the run before', () => {
  for (const run of [1, 2]) {
    const log = openRotatingLog(folder);
    log.write(`{"run":${run}}\n`);
    log.close();
  }
  expect(readFileSync(join(folder, 'kensa.log'), 'utf8')).toBe('{"run":1}\n{"run":2}\n');
});
