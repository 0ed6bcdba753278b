import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnedClient, spawnService } from '../support/spawn-service.ts';

const mebibyte = 1024 * 1024;

it.skipIf(process.platform !== 'linux')(
  'many large uploads at a time take no more memory than the setting allows, and each of them is answered',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kensa-uploads-'));
    const service = await spawnService({ KENSA_DATA_DIR: dataDir, KENSA_UPLOAD_MEMORY_MB: '64' });
    /** The most memory that the server has held so far, MiB. */
    const peak = async (): Promise<number> => {
      const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8');
      return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
    };
    try {
      const { clientId: client_id, clientSecret: client_secret } = spawnedClient;
      const login = await fetch(`${service.url}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_id, client_secret, grant_type: 'client_credentials' }),
      });
      const { access_token: token } = (await login.json()) as { access_token: string };
      const file = new Blob([randomBytes(40 * mebibyte)]);
      const upload = async (): Promise<number> => {
        const body = new FormData();
        body.append('training', 'true');
        body.append('files', file, 'noise.png');
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${service.url}/api/v1/items/`, { method: 'POST', headers, body })).status;
      };
      const before = await peak();
      const answers = await Promise.all(Array.from({ length: 10 }, upload));
      // Noise is no image: 422. A server that has no room for so long says 503.
      expect(answers.filter((status) => status !== 422 && status !== 503)).toEqual([]);
      expect(answers).toContain(422);
      expect((await peak()) - before).toBeLessThan(400);
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
