import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
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

/** Twenty images a second, the camera says, and so they come at first. */
describe.skipIf(!hasProgram('ffmpeg'))('the times of images', () => {
  it.each([
    ['may follow each other faster than the rate that the camera tells', '50*N-if(gt(N\\,40)\\,45*mod(N\\,2)\\,0)'],
    ['may go back, as where a camera sets its clock', '50*mod(N\\,20)'],
  ])('%s', async (_, times) => {
    const film = `testsrc=size=96x96:rate=20,settb=1/1000,setpts=${times}`;
    const faults: (string | undefined)[] = [];
    const input = { args: ['-re', '-f', 'lavfi', '-i', film], isJpeg: false };
    const capture = openCapture(input, (fault) => faults.push(fault?.code));
    await eventually(
      async () => faults,
      ({ length }) => length > 70,
    );
    expect(new Set(faults)).toEqual(new Set([undefined]));
    await capture.stop();
  });
});

it('ffmpeg gets the address as one word, a fixed format, a list of protocols, and no variable of the service', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kensa-capture-'));
  const program = join(folder, 'ffmpeg');
  // Stands in for ffmpeg, and notes how it was started.
  await writeFile(program, `#!/bin/sh\nenv >'${folder}/env'\nprintf '%s\\n' "$@" >'${folder}/args'\n`, { mode: 0o755 });
  vi.stubEnv('KENSA_CLIENT_SECRET', 'a secret of the service');
  for (const [address, format, protocols] of [
    ['http://127.0.0.1:9/$(id>owned);`id`&id', 'mpjpeg', 'http,tcp'],
    ['rtsp://127.0.0.1:9/$(id>owned);`id`&id', 'rtsp', 'rtsp,rtp,udp,tcp'],
  ] as const) {
    await rm(join(folder, 'args'), { force: true });
    const input = parseCameraUrl(address);
    if ('problem' in input) throw new Error('The address was refused.');
    const faults: (string | undefined)[] = [];
    const capture = openCapture(input, (fault) => faults.push(fault?.code), program);
    await eventually(
      async () => faults.length,
      (count) => count > 0,
    );
    await capture.stop();
    const args = (await readFile(join(folder, 'args'), 'utf8')).trim().split('\n');
    const at = args.indexOf('-i');
    expect(args[at + 1]).toBe(new URL(address).href);
    expect(args.slice(at - 2, at)).toEqual(['-f', format]);
    expect(args[args.indexOf('-protocol_whitelist') + 1]).toBe(protocols);
    const names = (await readFile(join(folder, 'env'), 'utf8')).match(/^\w+(?==)/gm) ?? [];
    // The shell that runs this program adds the others.
    expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual(['PATH']);
  }
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it('a camera at this computer is taken at its size only, and by the time that the driver gave the image', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kensa-capture-'));
  const program = join(folder, 'ffmpeg');
  const [old, fresh] = await Promise.all(
    [1, 2].map(async (phase) =>
      sharp(await stripes(phase))
        .jpeg()
        .toBuffer(),
    ),
  );
  if (!old || !fresh) throw new Error('There are no images.');
  // Stands in for ffmpeg: twenty images that waited in the driver for five seconds come at once, then new ones.
  const script = `#!${process.execPath}
    const number = (value) => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(value); return bytes; };
    const size = Buffer.from('00000000006000604a504547', 'hex');
    const header = ['\\0\\nSMJPEG', Buffer.alloc(8), '_VID', number(12), size, 'HEND'];
    const now = () => Number(process.hrtime.bigint() / 1000000n);
    const send = (image, age) => {
      const bytes = Buffer.from(image, 'base64');
      for (const part of ['vidD', number((now() - age) >>> 0), number(bytes.length), bytes]) process.stdout.write(part);
    };
    for (const part of header) process.stdout.write(part);
    send('${old.toString('base64')}', 5000);
    setTimeout(() => {
      for (let count = 0; count < 20; count++) send('${old.toString('base64')}', 5000);
      setInterval(() => send('${fresh.toString('base64')}', 0), 30);
    }, 300);`;
  await writeFile(program, script, { mode: 0o755 });
  const open = (size: string) => {
    const faults: (string | undefined)[] = [];
    const input = { args: [], isJpeg: false, device: '/dev/null', size };
    return { faults, capture: openCapture(input, (fault) => faults.push(fault?.code), program) };
  };
  const right = open('96x96');
  await eventually(
    async () => right.faults,
    ({ length }) => length > 0,
  );
  expect((await right.capture.takeNext(5000))?.bytes).toEqual(fresh);
  expect(right.faults).not.toContain('camera.size');
  const wrong = open('100x100');
  await eventually(
    async () => wrong.faults,
    ([first]) => first === 'camera.size',
  );
  expect(wrong.capture.latest()).toBeUndefined();
  await Promise.all([right.capture.stop(), wrong.capture.stop()]);
  await rm(folder, { recursive: true });
});
