import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SettingsStore } from '../../storage/settings.store.ts';

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
