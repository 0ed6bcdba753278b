import { AppError, messageOf } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { SettingsStore } from '../../storage/settings.store.ts';
import { type License, type LicenseFeature, readLicense } from './license-statement.ts';

export interface LicenseState {
  /** Whether the vendor asks for a license at all. */
  readonly required: boolean;
  readonly customer: string | null;
  readonly expiry: string | null;
  /** Why there is no valid one. */
  readonly problem: Message | null;
}

export interface LicenseService {
  readonly nodeHash: string;
  /** Checks and keeps a license. @throws AppError `license-invalid`; the one before stays then. */
  installLicense(statement: string): Promise<License>;
  findLicense(): Promise<License | undefined>;
  getState(): Promise<LicenseState>;
  /** @throws AppError `license-required` where the vendor asks for a license and there is no valid one for this. */
  requireFeature(feature: LicenseFeature): Promise<void>;
}

const settingsKey = 'license';

export function createLicenseService(parts: {
  settings: SettingsStore;
  /** The vendor's key; undefined: nothing is asked for. */
  publicKey: string | undefined;
  nodeHash: string;
  now?: () => Date;
}): LicenseService {
  const { settings, publicKey, nodeHash } = parts;
  const now = parts.now ?? (() => new Date());

  const read = (statement: string, key: string) => readLicense(statement, { publicKey: key, nodeHash, now: now() });

  return {
    nodeHash,
    async installLicense(statement) {
      if (publicKey === undefined) {
        throw new AppError('license-invalid', { reason: say('license.not-asked') });
      }
      const license = await read(statement, publicKey);
      await settings.setSetting(settingsKey, statement.trim());
      return license;
    },
    async findLicense() {
      const statement = await settings.findSetting(settingsKey);
      return statement === undefined || publicKey === undefined ? undefined : read(statement, publicKey);
    },
    async getState() {
      const nothing = { required: publicKey !== undefined, customer: null, expiry: null, problem: null };
      if (publicKey === undefined) return nothing;
      const statement = await settings.findSetting(settingsKey);
      if (statement === undefined) return { ...nothing, problem: say('license.none') };
      try {
        const { customer, expiry } = await read(statement, publicKey);
        return { ...nothing, customer, expiry };
      } catch (error) {
        return { ...nothing, problem: messageOf(error) };
      }
    },
    async requireFeature(feature) {
      if (publicKey === undefined) return;
      const statement = await settings.findSetting(settingsKey);
      if (statement === undefined) throw new AppError('license-required', { reason: say('license.none') });
      const license = await read(statement, publicKey).catch((cause: AppError) => {
        throw new AppError('license-required', { reason: messageOf(cause) }, { cause });
      });
      if (!license.features.includes(feature)) {
        throw new AppError('license-required', { reason: say('license.not-covered', { feature }) });
      }
    },
  };
}
