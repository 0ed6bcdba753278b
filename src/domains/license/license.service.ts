import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError, messageOf } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Db } from '../../storage/database.ts';
import { createSettingsStore, type SettingsStore } from '../../storage/settings.store.ts';
import type { AuditService } from '../audit/audit.service.ts';
import { type License, type LicenseFeature, readLicense } from './license-statement.ts';

const settingsKey = 'license';

export type LicenseService = ReturnType<typeof createLicenseService>;

export function createLicenseService(dependencies: {
  db: Db;
  audit: AuditService;
  settings: SettingsStore;
  /** The vendor's key; undefined: no license is asked for. */
  publicKey: string | undefined;
  nodeHash: string;
  now?: () => Date;
}) {
  const { db, audit, settings, publicKey, nodeHash, now = () => new Date() } = dependencies;
  const read = (statement: string, key: string) => readLicense(statement, { publicKey: key, nodeHash, now: now() });

  /** The license in force, or the reason why none is in force. */
  const findLicense = async (key: string): Promise<License | Message> => {
    const statement = await settings.findSetting(settingsKey);
    return statement === undefined ? say('license.none') : read(statement, key).catch(messageOf);
  };

  return {
    nodeHash,

    /** Checks and keeps a license. @throws AppError `license-invalid`; the one before stays then. */
    async installLicense(statement: string): Promise<License> {
      if (publicKey === undefined) throw new AppError('license-invalid', { reason: say('license.not-asked') });
      const license = await read(statement, publicKey);
      await db.transaction().execute(async (trx) => {
        await createSettingsStore(trx).setSetting(settingsKey, statement.trim());
        const { customer, expiry } = license;
        await audit.record(trx, 'license.install', [{ id: null, details: { customer, expiry } }]);
      });
      return license;
    },

    /** Whether the vendor asks for a license, the one that is installed, and why there is no valid one. */
    async getState() {
      const state = { required: publicKey !== undefined, customer: null, expiry: null, problem: null };
      if (publicKey === undefined) return state;
      const found = await findLicense(publicKey);
      if ('code' in found) return { ...state, problem: found };
      return { ...state, customer: found.customer, expiry: found.expiry };
    },

    /** @throws AppError `license-required` where the vendor asks for a license and there is no valid one for this. */
    async requireFeature(feature: LicenseFeature): Promise<void> {
      if (publicKey === undefined) return;
      const found = await findLicense(publicKey);
      if ('code' in found) throw new AppError('license-required', { reason: found });
      if (found.features.includes(feature)) return;
      throw new AppError('license-required', { reason: say('license.not-covered', { feature }) });
    },
  };
}

const machineIdFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id'];

/**
 * SHA-256 over what identifies this machine, the same after a restart. Where the system has no identity of its own, as
 * in many containers, one is made and kept with the data.
 */
export async function getNodeHash(settings: SettingsStore, files: readonly string[] = machineIdFiles): Promise<string> {
  const identity =
    (await findMachineId(files)) ?? Buffer.from(await settings.getSecret('node_identity')).toString('hex');
  return createHash('sha256').update(`kensa-node\n${identity}\n${process.platform}\n${process.arch}`).digest('hex');
}

async function findMachineId(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const text = (await readFile(file, 'utf8').catch(() => '')).trim();
    if (/^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase();
  }
  return undefined;
}
