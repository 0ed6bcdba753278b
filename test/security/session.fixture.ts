import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openSession } from '../../src/vision/onnx/open-session.ts';
import { tinyBackbone } from '../vision/tiny-backbone.ts';

// A process as those that compute: opens a network and tells which files and sockets are open then, and which before.
const list = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((handle) => {
    try {
      return [readlinkSync(`/proc/self/fd/${handle}`)];
    } catch {
      return [];
    }
  });

const before = list();
const session = await openSession(tinyBackbone().onnx);
// Reports are sent by a thread of their own, a moment later.
await pause(1000);
const opened = list().filter((path) => !before.includes(path) && !/^(anon_inode|pipe):/.test(path));
process.send?.({ outputs: session.outputNames, opened });
await session.release();
process.disconnect?.();
