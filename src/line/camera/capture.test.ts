import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { hasProgram } from '../../../test/support/find-program.ts';
import { startCamera } from '../../../test/support/simulated-camera.ts';
import { eventually, stripes } from '../../../test/support/trained-model.ts';
import { parseCameraUrl } from './camera-address.ts';
import { openCapture } from './capture.ts';

it.skipIf(!hasProgram('ffmpeg'))('a missing ffmpeg is named, and images come once it is installed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kensa-capture-'));
  const camera = await startCamera(
    await sharp(await stripes(1))
      .jpeg()
      .toBuffer(),
  );
  const input = parseCameraUrl(camera.url);
  if ('problem' in input) throw new Error('The address was refused.');
  const faults: (string | undefined)[] = [];
  const program = join(folder, 'ffmpeg');
  const capture = openCapture(input, (fault) => faults.push(fault?.code), program);
  await eventually(
    async () => faults,
    ([first]) => first === 'camera.no-ffmpeg',
  );
  await symlink(execFileSync('which', ['ffmpeg']).toString().trim(), program);
  await eventually(
    async () => faults,
    (told) => told.at(-1) === undefined,
  );
  expect((await capture.takeNext(5000))?.bytes.length).toBeGreaterThan(0);
  await capture.stop();
  await camera.close();
  await rm(folder, { recursive: true });
});
