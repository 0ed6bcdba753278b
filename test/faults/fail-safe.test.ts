import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { hasMbpoll, pollBits, pollTrigger } from '../support/mbpoll.ts';
import { fillDisk, mayMount, mountDisk, unmountDisk } from '../support/small-disk.ts';
import { findChildren, type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { findPostgres, startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import { eventually, stripes } from '../support/trained-model.ts';
import { trainStripes } from './plant.ts';

interface StationFault {
  status_messages: { code: string }[];
}

const unit = 3;

describe.skipIf(!hasMbpoll)('OK is 0 for a controller, read by mbpoll,', () => {
  let folder: string;
  let port: number;
  let service: SpawnedService;
  let settings: Record<string, string>;
  let stationId: string;
  let postgres: TestPostgres | undefined;
  let isMounted = false;

  const bits = (awaited: string) =>
    eventually(
      () => pollBits(port, unit),
      (found) => found === awaited,
      30_000,
    );
  const inspect = async () => {
    const file = { name: 'a.png', bytes: await stripes(1) };
    return service.client.inspect({ stationId }, [file], {}, 30_000);
  };
  const stationFault = async (): Promise<string | undefined> => {
    const path = `/api/v1/stations/${stationId}`;
    const { state } = await service.client.request<{ state: { fault: StationFault | null } }>('GET', path);
    return state.fault?.status_messages[0]?.code;
  };
  const start = async (more: Record<string, string> = {}, ownDisk = false): Promise<void> => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-fail-safe-'));
    if (ownDisk) isMounted = mountDisk(folder);
    port = await findFreePort();
    settings = { KENSA_DATA_DIR: folder, KENSA_MODBUS_PORT: String(port), ...more };
    service = await spawnService(settings);
    const { client } = service;
    const model_id = await trainStripes(client);
    const body = { name: 'press', model_id, outputs: [{ kind: 'modbus', unit, timeout_ms: 1000 }] };
    ({ station_id: stationId } = await client.request<{ station_id: string }>('POST', '/api/v1/stations/', body));
    await bits('ready');
    await inspect();
    await bits('ready valid ok');
  };
  afterEach(async () => {
    await service.kill();
    await postgres?.stop();
    postgres = undefined;
    if (isMounted) unmountDisk(folder);
    isMounted = false;
    await rm(folder, { recursive: true, force: true });
  });

  describe.each(['SQLite', ...(findPostgres() ? ['PostgreSQL'] : [])])('on %s,', (database) => {
    const settingsOf = async (): Promise<Record<string, string>> => {
      if (database === 'SQLite') return {};
      postgres = await startPostgres({ durable: true });
      return { DATABASE_URL: await postgres.createDatabase() };
    };

    it('where the server is killed: it answers nothing, and comes back without a result', async () => {
      await start(await settingsOf());
      await service.kill();
      expect(await pollBits(port, unit)).toBeUndefined();
      service = await spawnService(settings);
      await bits('ready');
    });

    it('where the server hangs: it answers nothing, and a trigger meanwhile ends in a fault', async () => {
      await start(await settingsOf());
      service.process.kill('SIGSTOP');
      expect(await pollBits(port, unit)).toBeUndefined();
      service.process.kill('SIGCONT');
      await bits('ready valid ok');
      await pollTrigger(port, unit);
      expect(await pollBits(port, unit)).toBe('busy');
      service.process.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      service.process.kill('SIGCONT');
      await bits('ready fault');
    });

    it('where the compute process is killed, also in the middle of an inspection', async () => {
      await start(await settingsOf());
      const [worker = 0] = findChildren(service.process.pid ?? 0, 'worker');
      process.kill(worker, 'SIGSTOP');
      const answer = inspect();
      await bits('busy');
      process.kill(worker, 'SIGKILL');
      await bits('ready fault');
      await answer;
      expect(await pollBits(port, unit)).toBe('ready fault');
    });
  });

  it.skipIf(!findPostgres())('where the database is gone, and once it is back until the next verdict', async () => {
    postgres = await startPostgres({ durable: true });
    await start({ DATABASE_URL: await postgres.createDatabase() });
    await postgres.crash();
    const gone = await eventually(
      () => pollBits(port, unit),
      (found) => found?.includes('fault') === true,
      10_000,
    );
    expect(gone).toBe('fault');
    await pollTrigger(port, unit);
    expect(await pollBits(port, unit)).toBe('fault');
    await postgres.restart();
    await bits('ready fault');
    // The first inspections may take longer than the time that the controller waits.
    const inspected = async () => {
      await inspect().catch(() => undefined);
      return pollBits(port, unit);
    };
    await eventually(inspected, (found) => found === 'ready valid ok', 60_000);
  });

  it.skipIf(!mayMount)('where the disk of the database is full, until there is room', async () => {
    await start({}, true);
    const makeRoom = fillDisk(folder);
    await bits('fault');
    await expect(inspect()).rejects.toThrow(/full/);
    await pollTrigger(port, unit);
    expect(await pollBits(port, unit)).toBe('fault');
    expect(await stationFault()).toBe('storage-full');
    makeRoom();
    await bits('ready fault');
    expect(await stationFault()).toBeUndefined();
    await inspect();
    await bits('ready valid ok');
  });

  it('where the files of the database are damaged', async () => {
    await start();
    for (const name of ['kensa.db', 'kensa.db-wal', 'kensa.db-shm'])
      await writeFile(join(folder, name), Buffer.alloc(65_536, 'x'));
    await bits('fault');
    await expect(inspect()).rejects.toThrow(/went wrong/);
    await pollTrigger(port, unit);
    expect(await pollBits(port, unit)).toBe('fault');
  });

  it('where the folder of the database is gone, until it is back', async () => {
    await start();
    await rename(folder, `${folder}-away`);
    await bits('fault');
    await expect(inspect()).rejects.toThrow(/storage cannot be used/);
    await pollTrigger(port, unit);
    expect(await pollBits(port, unit)).toBe('fault');
    expect(await stationFault()).toBe('storage-unavailable');
    await rename(`${folder}-away`, folder);
    await bits('ready fault');
    await inspect();
    await bits('ready valid ok');
  });
});
