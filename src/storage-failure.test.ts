import { expect, it } from 'vitest';
import { findStorageFailure } from './storage-failure.ts';

const failure = (code: string, message = 'it broke'): Error => Object.assign(new Error(message), { code });

it.each([
  [failure('ENOSPC'), 'storage-full', 507],
  [failure('SQLITE_FULL'), 'storage-full', 507],
  [failure('SQLITE_READONLY_DBMOVED'), 'storage-unavailable', 503],
  [failure('SQLITE_IOERR_WRITE'), 'storage-unavailable', 503],
  [failure('57P01'), 'storage-unavailable', 503],
  [new Error('Connection terminated unexpectedly'), 'storage-unavailable', 503],
  [new Error('wrapped', { cause: failure('ENOSPC') }), 'storage-full', 507],
])('%s is the fault of the storage', (error, code, status) => {
  expect(findStorageFailure(error)).toMatchObject({ code, status });
});

it('a defect of ours is not', () => {
  expect(findStorageFailure(new TypeError('x is not a function'))).toBeUndefined();
  expect(findStorageFailure(failure('SQLITE_CONSTRAINT'))).toBeUndefined();
  expect(findStorageFailure('ENOSPC')).toBeUndefined();
});
