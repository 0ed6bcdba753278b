import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAudit } from '../../../test/support/open-accounts.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { say } from '../../messages/message.ts';
import type { Db } from '../../storage/database.ts';
import { createSettingsStore, type SettingsStore } from '../../storage/settings.store.ts';
import { createLicenseService, getNodeHash } from './license.service.ts';
import { type License, makeVendorKeys, signLicense, type VendorKeys } from './license-statement.ts';

let settings: SettingsStore;
let dataDir: string;
let db: Db;
let close: () => Promise<void>;
let keys: VendorKeys;
const nodeHash = 'a'.repeat(64);
const license: License = {
  customer: 'Works 3',
  expiry: '2027-06-30T00:00:00.000Z',
  node: nodeHash,
  features: ['training', 'prediction'],
};

beforeAll(async () => {
  const opened = await openTemporaryDatabase();
  ({ db, close, dataDir } = opened);
  settings = createSettingsStore(opened.db);
  keys = await makeVendorKeys();
});
afterAll(() => close());

const serviceAt = (date: string, options: { node?: string; publicKey?: string | undefined } = {}) =>
  createLicenseService({
    db,
    audit: openAudit(db),
    settings,
    publicKey: 'publicKey' in options ? options.publicKey : keys.publicKey,
    nodeHash: options.node ?? nodeHash,
    now: () => new Date(date),
  });
const valid = '2026-12-01T00:00:00.000Z';
const late = '2027-07-01T00:00:00.000Z';

describe('a license', () => {
  it('is not asked for without the key of a vendor, and cannot be installed then', async () => {
    const service = serviceAt(valid, { publicKey: undefined });
    await expect(service.requireFeature('training')).resolves.toBeUndefined();
    await expect(service.installLicense('x')).rejects.toMatchObject({ code: 'license-invalid' });
  });

  it('is asked for until a valid one is installed, and again once it has expired', async () => {
    await expect(serviceAt(valid).requireFeature('training')).rejects.toMatchObject({ code: 'license-required' });
    expect(await serviceAt(valid).getState()).toMatchObject({ required: true, problem: say('license.none') });
    const installed = await serviceAt(valid).installLicense(` ${await signLicense(license, keys)}\n`);
    expect(installed).toEqual(license);
    await expect(serviceAt(valid).requireFeature('prediction')).resolves.toBeUndefined();
    const { customer, expiry } = license;
    expect(await serviceAt(valid).getState()).toEqual({ required: true, customer, expiry, problem: null });
    expect(await serviceAt(late).getState()).toMatchObject({
      expiry: null,
      problem: { code: 'license-invalid', values: { reason: say('license.expired') } },
    });
    await expect(serviceAt(late).requireFeature('prediction')).rejects.toMatchObject({
      code: 'license-required',
      message: expect.stringContaining('expired'),
    });
  });

  it('is refused with any of its characters changed', async () => {
    const statement = await signLicense(license, keys);
    for (let at = 0; at < statement.length; at += 7) {
      const other = statement[at] === 'A' ? 'B' : 'A';
      const changed = statement.slice(0, at) + other + statement.slice(at + 1);
      // The last character of a part carries bits that encode nothing.
      if (
        changed
          .split('.')
          .some(
            (part, index) =>
              Buffer.from(part, 'base64url').equals(Buffer.from(statement.split('.')[index] ?? '', 'base64url')) ===
              false,
          )
      ) {
        await expect(serviceAt(valid).installLicense(changed), changed).rejects.toMatchObject({
          code: 'license-invalid',
        });
      }
    }
  });

  it('is refused when expired, for another machine, from another vendor, or not covering the work', async () => {
    const statement = await signLicense(license, keys);
    await expect(serviceAt(late).installLicense(statement)).rejects.toThrow(/expired/);
    await expect(serviceAt(valid, { node: 'b'.repeat(64) }).installLicense(statement)).rejects.toThrow(
      /another machine/,
    );
    await expect(serviceAt(valid).installLicense(await signLicense(license, await makeVendorKeys()))).rejects.toThrow(
      /damaged, or signed by somebody else/,
    );
    await serviceAt(valid).installLicense(
      await signLicense({ ...license, node: 'any', features: ['prediction'] }, keys),
    );
    await expect(serviceAt(valid).requireFeature('training')).rejects.toThrow(/does not cover training/);
    await expect(serviceAt(valid).requireFeature('prediction')).resolves.toBeUndefined();
  });
});

describe('getNodeHash', () => {
  it('follows the identity of the system', async () => {
    const file = join(dataDir, 'machine-id');
    await writeFile(file, '0123456789abcdef0123456789abcdef\n');
    const first = await getNodeHash(settings, [file]);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await getNodeHash(settings, ['/nonexistent', file])).toBe(first);
    await writeFile(file, 'fedcba9876543210fedcba9876543210\n');
    expect(await getNodeHash(settings, [file])).not.toBe(first);
    await rm(file);
  });
  it('keeps one of its own where the system has none', async () => {
    const made = await getNodeHash(settings, ['/nonexistent']);
    expect(await getNodeHash(settings, [])).toBe(made);
  });
});
