import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { type LicenseFeature, licenseFeatures, type VendorKeys } from '../domains/license/license-statement.ts';
import { CommandError } from './command-error.ts';

/** @throws CommandError where the file is not one of `kensa license keys --out` */
export async function readVendorKeys(file: string): Promise<VendorKeys> {
  const text = await readFile(file, 'utf8');
  try {
    const { publicKey, privateKey } = JSON.parse(text) as Partial<VendorKeys>;
    if (typeof publicKey === 'string' && typeof privateKey === 'string') return { publicKey, privateKey };
  } catch {
    // Said below.
  }
  throw new CommandError(`${file} holds no keys of a vendor. Name the file of "kensa license keys --out".`);
}

/** @throws InvalidArgumentError that names what there is */
export function parseFeatures(list: string): LicenseFeature[] {
  return list.split(',').map((given) => {
    const feature = licenseFeatures.find((known) => known === given.trim());
    if (feature) return feature;
    throw new InvalidArgumentError(`Write one or more of ${licenseFeatures.join(',')}.`);
  });
}
