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
    const [opened] = (await once(child, 'message')) as [string[]];
    expect(opened.filter((path) => /socket|telemetry|onnxruntime\.db|mat-debug/i.test(path))).toEqual([]);
    await once(child, 'exit');
  },
);
