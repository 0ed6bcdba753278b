import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { forkEntry } from '../../src/jobs/compute/fork-entry.ts';

it.skipIf(process.platform !== 'linux')(
  'a process that opens a network opens no socket and no file beside it: nothing is reported to anyone',
  async () => {
    const { child } = forkEntry(fileURLToPath(new URL('./session.fixture.ts', import.meta.url)), {
      niceness: 0,
      log: pino({ level: 'silent' }),
    });
    const [{ outputs, opened }] = (await once(child, 'message')) as [{ outputs: string[]; opened: string[] }];
    expect(outputs).not.toEqual([]);
    // A runtime that may report opens a log and a database here: seen red without `quietRuntime`.
    expect(opened).toEqual([]);
    await once(child, 'exit');
  },
);
