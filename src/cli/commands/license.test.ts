import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runKensa } from '../../../test/support/spawn-service.ts';
import { readLicense } from '../../domains/license/license-statement.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kensa-license-'));
});
afterAll(() => rm(folder, { recursive: true }));

const license = (...options: string[]) => runKensa(['license', ...options], {});

it('makes a key pair once, and licenses that services accept', async () => {
  const file = join(folder, 'keys.json');
  const made = await license('--keys', file);
  expect(made.code, made.output).toBe(0);
  const { publicKey } = JSON.parse(await readFile(file, 'utf8'));
  expect(made.output).toContain(`LICENSE_PUBLIC_KEY of the services: ${publicKey}`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const limits = ['--expires', '2027-06-30', '--node', 'a'.repeat(64), '--features', 'prediction'];
  const signed = await license('--keys', file, '--customer', 'Works 3', ...limits);
  expect(signed.code, signed.output).toBe(0);
  const statement = signed.output.split('\n').find((line) => line.startsWith('eyJ')) ?? '';
  const check = { publicKey, nodeHash: 'a'.repeat(64), now: new Date('2027-06-30T12:00:00Z') };
  expect(await readLicense(statement, check)).toEqual({
    customer: 'Works 3',
    expiry: '2027-06-30T23:59:59.000Z',
    node: 'a'.repeat(64),
    features: ['prediction'],
  });
});

it('says what is wrong with its options and with the file of keys', async () => {
  const file = join(folder, 'other.json');
  const some = await license('--keys', file, '--customer', 'Works 3');
  expect(some.output).toContain('needs both --customer and --expires');
  const day = await license('--keys', file, '--customer', 'Works 3', '--expires', '30.6.2027');
  expect(day.output).toContain('Write the day as 2027-06-30.');
  const features = await license('--keys', file, '--features', 'training,flying');
  expect(features.output).toContain('one or more of training,prediction');
  expect([some.code, day.code, features.code]).toEqual([1, 1, 1]);
  for (const text of ['no json', '{}', 'null', '{"publicKey":"a"}']) {
    await writeFile(file, text);
    const { code, output } = await license('--keys', file);
    expect([code, output]).toEqual([1, expect.stringContaining(`${file} holds no keys of a vendor`)]);
  }
});
