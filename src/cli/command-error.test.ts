import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config.ts';
import { CommandError, describeFailure } from './command-error.ts';

describe('describeFailure', () => {
  it('says what is said in words already as it is', () => {
    expect(describeFailure(new CommandError('--seed is x.'))).toBe('--seed is x.');
    expect(describeFailure(new ConfigError('PORT: no.'))).toBe('PORT: no.');
  });

  it('names the file that is missing or of the wrong kind, and speaks of no storage', async () => {
    const missing = await readFile('no/such/file').catch((error: unknown) => error);
    expect(describeFailure(missing)).toBe('no/such/file: there is no such file or folder.');
    const folder = Object.assign(new Error('EEXIST'), { code: 'EEXIST', path: 'out' });
    expect(describeFailure(folder)).toBe('out: there is a file of this name already.');
  });

  it('names a damaged database and a storage that is gone', () => {
    const damaged = Object.assign(new Error('file is not a database'), { code: 'SQLITE_NOTADB' });
    expect(describeFailure(damaged)).toContain('file is not a database. Restore kensa.db');
    const gone = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
    expect(describeFailure(gone)).toContain('ECONNREFUSED ::1:5432');
  });

  it('leaves defects alone, so that they show where they are', () => {
    expect(describeFailure(new TypeError('x is undefined'))).toBeUndefined();
    expect(describeFailure('text')).toBeUndefined();
  });
});
