import { readFile, writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../../config.ts';
import { createLicenseService, type LicenseService } from '../../domains/license/license.service.ts';
import {
  type License,
  type LicenseFeature,
  licenseFeatures,
  makeVendorKeys,
  signLicense,
} from '../../domains/license/license-statement.ts';
import { getNodeHash } from '../../domains/license/node-identity.ts';
import { createSettingsStore } from '../../storage/settings.store.ts';
import { withStorage } from '../open-storage.ts';
import { parseFeatures, readVendorKeys } from '../vendor-keys.ts';

interface MakeOptions {
  readonly keys: string;
  readonly customer: string;
  readonly expires: string;
  readonly node: string;
  readonly features: readonly LicenseFeature[];
}

export function registerLicense(program: Command): void {
  const license = program.command('license').description('keys and licenses, for vendors who ask for one');

  license
    .command('keys')
    .description('make the key pair of a vendor; the public one becomes LICENSE_PUBLIC_KEY of the services')
    .option('--out <file>', 'write both into a file that only you can read')
    .option('--json', 'print JSON')
    .action(async (options: { out?: string; json?: boolean }) => {
      const keys = await makeVendorKeys();
      if (options.out) await writeFile(options.out, `${JSON.stringify(keys)}\n`, { mode: 0o600, flag: 'wx' });
      const shown = options.out ? { publicKey: keys.publicKey, file: options.out } : keys;
      if (options.json) console.log(JSON.stringify(shown));
      else for (const [name, value] of Object.entries(shown)) console.log(`${name}: ${value}`);
    });

  license
    .command('make')
    .description('sign a license with the key pair of the vendor')
    .requiredOption('--keys <file>', 'file of "kensa license keys --out"')
    .requiredOption('--customer <name>', 'who it is for')
    .requiredOption('--expires <date>', 'last day, such as 2027-06-30', parseDay)
    .option('--node <hash>', 'machine that it is for, see "kensa license show"; absent: every machine', 'any')
    .option('--features <list>', `what it covers, one or more of ${licenseFeatures.join(',')}`, parseFeatures, [
      ...licenseFeatures,
    ])
    .action(async ({ keys, customer, expires: expiry, node, features }: MakeOptions) => {
      console.log(await signLicense({ customer, expiry, node, features }, await readVendorKeys(keys)));
    });

  license
    .command('install <file>')
    .description('install a license (while the service is stopped)')
    .option('--json', 'print JSON')
    .action(async (file: string, options: { json?: boolean }) => {
      const statement = await readFile(file, 'utf8');
      printLicense(await withLicense((service) => service.installLicense(statement)), options.json);
    });

  license
    .command('show')
    .description('show the hash of this machine and the license that is installed')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const shown = await withLicense(async (service) => ({
        node_hash: service.nodeHash,
        license: (await service.findLicense()) ?? null,
      }));
      if (options.json) return console.log(JSON.stringify(shown));
      console.log(`node hash: ${shown.node_hash}`);
      if (shown.license) printLicense(shown.license, false);
      else console.log('No license is installed.');
    });
}

function parseDay(text: string): string {
  const day = new Date(`${text}T23:59:59.000Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(day.getTime())) {
    throw new InvalidArgumentError('Write the day as 2027-06-30.');
  }
  return day.toISOString();
}

function printLicense(license: License, json: boolean | undefined): void {
  if (json) console.log(JSON.stringify(license));
  else
    console.log(`${license.customer}: ${license.features.join(', ')} until ${license.expiry}, machine ${license.node}`);
}

function withLicense<T>(work: (service: LicenseService) => Promise<T>): Promise<T> {
  const publicKey = loadConfig().LICENSE_PUBLIC_KEY;
  return withStorage(async ({ db }) => {
    const settings = createSettingsStore(db);
    return work(createLicenseService({ settings, publicKey, nodeHash: await getNodeHash(settings) }));
  });
}
