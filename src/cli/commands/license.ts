import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import {
  type LicenseFeature,
  licenseFeatures,
  makeVendorKeys,
  signLicense,
  type VendorKeys,
} from '../../domains/license/license-statement.ts';
import { CommandError } from '../command-error.ts';

interface LicenseOptions {
  readonly keys: string;
  readonly customer?: string;
  readonly expires?: string;
  readonly node: string;
  readonly features: readonly LicenseFeature[];
}

export function registerLicense(program: Command): void {
  program
    .command('license')
    .description('for vendors who ask for a license: make a key pair, and sign licenses with it')
    .requiredOption('--keys <file>', 'key pair of the vendor; a new one is made where this file does not exist')
    .option('--customer <name>', 'sign a license for this customer')
    .option('--expires <date>', 'its last day, such as 2027-06-30', parseDay)
    .option('--node <hash>', 'machine that it is for, as POST /api/v1/utils/node_hash names it', 'any')
    .option('--features <list>', `what it covers, one or more of ${licenseFeatures.join(',')}`, parseFeatures, [
      ...licenseFeatures,
    ])
    .action(makeLicense);
}

/** Standard output gets the license alone, so that it can go into a file. */
async function makeLicense({ keys: file, customer, expires, node, features }: LicenseOptions): Promise<void> {
  if ((customer === undefined) !== (expires === undefined)) {
    throw new CommandError('A license needs both --customer and --expires.');
  }
  const keys = existsSync(file) ? await readVendorKeys(file) : await writeVendorKeys(file);
  console.error(`LICENSE_PUBLIC_KEY of the services: ${keys.publicKey}`);
  if (customer === undefined || expires === undefined) return;
  console.log(await signLicense({ customer, expiry: expires, node, features }, keys));
}

async function writeVendorKeys(file: string): Promise<VendorKeys> {
  const keys = await makeVendorKeys();
  await writeFile(file, `${JSON.stringify(keys)}\n`, { mode: 0o600, flag: 'wx' });
  console.error(`A new key pair was written to ${file}, readable by you alone.`);
  return keys;
}

/** @throws CommandError where the file is not a key pair that this command wrote */
async function readVendorKeys(file: string): Promise<VendorKeys> {
  const text = await readFile(file, 'utf8');
  try {
    const { publicKey, privateKey } = JSON.parse(text) as Partial<VendorKeys>;
    if (typeof publicKey === 'string' && typeof privateKey === 'string') return { publicKey, privateKey };
  } catch {
    // The error below covers text that is not JSON, too.
  }
  throw new CommandError(`${file} holds no keys of a vendor. Name a file that "kensa license --keys" has made.`);
}

function parseDay(text: string): string {
  const day = new Date(`${text}T23:59:59.000Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(day.getTime())) {
    throw new InvalidArgumentError('Write the day as 2027-06-30.');
  }
  return day.toISOString();
}

function parseFeatures(list: string): LicenseFeature[] {
  return list.split(',').map((given) => {
    const feature = licenseFeatures.find((known) => known === given.trim());
    if (feature) return feature;
    throw new InvalidArgumentError(`Write one or more of ${licenseFeatures.join(',')}.`);
  });
}
