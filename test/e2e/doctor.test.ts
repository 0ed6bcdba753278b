import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runKensa } from '../support/spawn-service.ts';

it('doctor says that a data folder is not there, makes none, and names variables that are no settings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kensa-doctor-'));
  const dataDir = join(folder, 'daat');
  try {
    const settings = { KENSA_DATA_DIR: dataDir, KENSA_WORKER: '3' };
    const { code, output } = await runKensa(['doctor'], settings);
    expect(output).toContain(`✗ data folder: ${dataDir} is not there. Mend KENSA_DATA_DIR`);
    expect(output).toContain(
      '! settings: KENSA_WORKER is not a setting and has no effect. Did you mean KENSA_WORKERS?',
    );
    expect(code).toBe(1);
    expect(existsSync(dataDir)).toBe(false);
    const { output: ofEmpty } = await runKensa(['doctor'], { KENSA_DATA_DIR: folder });
    expect(ofEmpty).toContain('! database: there is no kensa.db in the data folder');
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
